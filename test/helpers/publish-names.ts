// Owns a process that publishes files under names that others want too: FOLDER NUMBER COUNT. It begins when its
// stdin ends, and leaves a list of the names it won.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishFile, removeQuietly, writeNewFile } from '../../core/durable.ts';

const [folder, number, count] = process.argv.slice(2) as [string, string, string];
process.stdout.write('ready\n');
process.stdin.once('end', () => {
  const won: string[] = [];
  for (let n = 0; n < Number(count); n += 1) {
    const staged = join(folder, `staged-${number}`);
    writeNewFile(staged, [Buffer.from(number)]);
    if (publishFile(staged, join(folder, `name-${n}`))) won.push(`name-${n}`);
    else removeQuietly(staged);
  }
  writeFileSync(join(folder, `won-${number}`), won.join('\n'));
});
process.stdin.resume();
