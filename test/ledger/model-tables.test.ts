// A ledger from before the model, brought up to date: it keeps versions of the model and the record of promotions.

import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../core/ledger/migrations/index.ts';
import { openLedger } from '../../core/ledger/open.ts';
import type { PromotionRow } from '../../core/ledger/promotions.ts';
import type { ModelVersion } from '../../core/model.ts';
import { openSqlite } from '../../core/sqlite.ts';
import { removeTempFolders, tempFolder } from '../helpers/server.ts';

const AT = '2026-01-01T00:00:00.000Z';

let path: string;
beforeEach(() => {
  path = join(tempFolder(), 'ledger.sqlite');
});
afterAll(removeTempFolders);

describe('a ledger from before the model', () => {
  it('gets versions of the model, which stay as they are, and the record of promotions', () => {
    const db = openSqlite(path);
    for (const migration of MIGRATIONS.slice(0, 5)) db.exec(migration);
    db.pragma('user_version = 5');
    db.close();
    const ledger = openLedger(path);
    const version: ModelVersion = {
      ...{
        version: 1,
        at: AT,
        by: 'analyst',
        why: 'w',
        kind: 'promotion',
        stream: 's',
        restored: null,
      },
      ...{ promotion: 'p', snapshot: null, types: 0, links: 0 },
      ...{ changes: { added: 0, changed: 0, removed: 0 }, model: { types: [], leftOut: [] } },
    };
    expect([ledger.modelVersions.newest(), ledger.modelVersions.add(version)]).toEqual([
      null,
      true,
    ]);
    expect(ledger.modelVersions.add({ ...version, why: 'other' })).toBe(false);
    expect([ledger.modelVersions.newest(), ledger.modelVersions.get(1)]).toEqual([1, version]);
    const { model: _, ...summary } = version;
    expect(ledger.modelVersions.list()).toEqual([summary]);
    const row: PromotionRow = {
      state: 'running',
      ...{
        id: 'p',
        stream: 's',
        by: 'analyst',
        pid: 1,
        host: 'h',
        startedAt: AT,
        endedAt: null,
      },
      ...{ base: null, version: null, words: 'w', items: 0, decided: 0 },
    };
    ledger.promotions.add(row);
    ledger.promotions.change('p', { state: 'open', items: 3 });
    ledger.promotions.setDocument('p', '{}');
    expect(ledger.promotions.inStates(['open', 'running'])).toEqual([
      { ...row, state: 'open', items: 3 },
    ]);
    expect([ledger.promotions.document('p'), ledger.promotions.document('q')]).toEqual([
      '{}',
      undefined,
    ]);
    ledger.close();
  });
});
