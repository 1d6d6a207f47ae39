// Owns `npm run package`: a release for this system from the pinned Electron; `-- --dir` an unpacked one from any at hand.
// Never makes a release of the stand-in.

import { provideElectron } from './set-up/electron.mjs';
import { setUp } from './set-up/index.mjs';
import { root } from './set-up/places.mjs';
import { run } from './set-up/run.mjs';
import { runScript, SetUpError } from './set-up/say.mjs';

const words = process.argv.slice(2);

await runScript(async () => {
  await setUp();
  const { electron, reason } = await provideElectron();
  if (!electron) throw new SetUpError(reason);
  const isUnpacked = words.includes('--dir');
  if (!electron.isPinned && !isUnpacked) {
    throw new SetUpError('A release is made of the pinned Electron, which could not be fetched.', {
      advice: 'To try the package: npm run package -- --dir',
    });
  }
  const { folder, version } = electron;
  const { code } = await run(
    process.execPath,
    [
      ...['node_modules/electron-builder/cli.js', '--publish', 'never', ...words],
      ...[`-c.electronDist=${folder}`, `-c.electronVersion=${version}`],
    ],
    { cwd: root, inherit: true },
  );
  if (code !== 0) throw new SetUpError('The package could not be made.');
});
