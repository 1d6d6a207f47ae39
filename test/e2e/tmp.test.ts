import { execSync } from 'node:child_process';
import { test } from 'vitest';
import { openDisplay } from '../helpers/display.ts';
import { openAppFace } from '../helpers/electron-face.ts';
import { land } from '../helpers/face.ts';
test('x', { timeout: 170_000 }, async () => {
  const d = await openDisplay();
  for (let i = 0; i < 8; i += 1) {
    const face = await openAppFace(d.name);
    const t = Date.now();
    let over = false;
    const p = land(face, 'hello', '{"a":1}\n').catch((e) => String(e)).then((r) => { over = true; return r; });
    await Promise.race([p, new Promise((r) => setTimeout(r, 6000))]);
    if (!over) {
      console.log('HUNG', i, execSync(`for t in /proc/${face.enginePid}/task/*; do echo $(basename $t) $(cat $t/comm) $(cat $t/wchan) $(cut -d' ' -f3,14,15 $t/stat); done; ls -laR ${face.app.home} | grep -v '^total' | head -60; ss -tnp 2>/dev/null | grep ${new URL(face.ingestUrl).port}`).toString());
      console.log('later', await p, Date.now() - t);
    } else console.log('ok', i, Date.now() - t);
    await face.app.electron.close();
    if (!over) break;
  }
  d.close();
});
