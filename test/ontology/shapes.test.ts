import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { synthesise } from '../../core/ontology/synthesise.ts';
import { profileOf } from '../helpers/measured.ts';

it('pay', async () => {
  const rows = readFileSync('test/fixtures/pay.ndjson', 'utf8')
    .trim()
    .split('\n')
    .map((l) => JSON.parse(l));
  const p = await profileOf('pay', rows);
  console.log(
    p.elapsedMs,
    p.columns
      .map((c) =>
        [c.column, c.kind, c.readAs.type, c.reason, c.distinct, c.from, c.to, c.agreement].join(
          ' | ',
        ),
      )
      .join('\n'),
    p.keys,
  );
  console.log(JSON.stringify(synthesise(p), null, 1));
  expect(1).toBe(1);
});
