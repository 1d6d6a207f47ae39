// Owns the last step before a package is closed: Electron's own default app is taken out.
// Never adds anything.

import { rmSync } from 'node:fs';
import { join } from 'node:path';

/** Called by electron-builder. */
export default function afterPack({ appOutDir, packager, electronPlatformName }) {
  const { productFilename } = packager.appInfo;
  const resources =
    electronPlatformName === 'darwin'
      ? join(appOutDir, `${productFilename}.app`, 'Contents', 'Resources')
      : join(appOutDir, 'resources');
  rmSync(join(resources, 'default_app.asar'), { force: true });
}
