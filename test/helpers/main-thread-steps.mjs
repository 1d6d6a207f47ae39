// Owns telling how long the main thread of a process works without a turn of its event loop: the longest since the last
// SIGUSR2, on stderr. It is the thread's processor time, so that a busy machine changes nothing. Linux.

import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// The launcher of the process, if there is one, and its threads load this too.
if (isMainThread && process.argv.includes('serve')) {
  const path = `/proc/self/task/${process.pid}/schedstat`;
  const usedNs = () => Number(readFileSync(path, 'latin1').split(' ')[0]);
  let last = usedNs();
  let longest = 0;
  const look = () => {
    const now = usedNs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  setInterval(look, 1).unref();
  process.on('SIGUSR2', () => {
    look();
    process.stderr.write(`longest step ${longest / 1e6}\n`);
    longest = 0;
  });
}
