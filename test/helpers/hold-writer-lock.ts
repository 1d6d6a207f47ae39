// Owns a process that takes the writer lock of a knowledgebase and holds it until its stdin ends: ROOT PURPOSE.

import { knowledgebasePaths } from '../../core/knowledgebase/paths.ts';
import { takeWriterLock } from '../../core/knowledgebase/writer-lock.ts';

const [root, purpose] = process.argv.slice(2) as [string, string];
const lock = takeWriterLock(knowledgebasePaths(root), purpose);
process.stdin.once('end', () => {
  lock.release();
  process.stdout.write('released\n');
});
process.stdin.resume();
process.stdout.write('held\n');
