// Owns the proof of a model in PostgreSQL that several apps share: one promotion at a time, one version after another,
// nothing half applied when the connection is lost, and no password anywhere.

import { readFileSync, statSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setModelStore } from '../../core/engine/model-store.ts';
import type { OpenKnowledgebase } from '../../core/engine/open.ts';
import { verify } from '../../core/engine/verify.ts';
import type { ModelVersion } from '../../core/model.ts';
import { beginApply } from '../../core/ontology/apply.ts';
import { beginPromotion } from '../../core/ontology/promote.ts';
import { showModel } from '../../core/ontology/show.ts';
import { postgresStore } from '../../core/ontology/store/postgres-store.ts';
import { codeOf, land, openTestCore, type TestCore } from '../helpers/core.ts';
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts';
import {
  landRecords,
  PAY,
  promoteAndApply,
  promoteToPlan,
  QUESTION,
  rowsOf,
} from '../helpers/promotion.ts';
import { removeTempFolders, strata } from '../helpers/server.ts';

let postgres: PostgresServer;
let count = 0;
beforeAll(async () => {
  postgres = await startPostgres();
}, 60_000);
afterAll(async () => {
  await postgres.stop();
  removeTempFolders();
});

interface App {
  readonly core: TestCore;
  readonly kb: OpenKnowledgebase;
}
let apps: App[] = [];
let model: string;
beforeEach(() => {
  count += 1;
  model = `team-${count}`;
});

/** Another app on another machine: a home of its own, the same model. */
const openApp = async (): Promise<App> => {
  const core = openTestCore();
  const kb = core.createKnowledgebase('k');
  await setModelStore(kb, postgres.url, model);
  const app = { core, kb };
  apps.push(app);
  return app;
};
afterEach(async () => {
  for (const { core } of apps) {
    await core.close();
    expect(core.logged.join('')).not.toContain(postgres.password);
    expect(core.logged.join('')).not.toContain(encodeURIComponent(postgres.password));
  }
  apps = [];
});

describe('two apps', () => {
  it('share versions; each has the views of the streams that it has', async () => {
    const one = await openApp();
    const two = await openApp();
    await land(one.core, 'pay', PAY);
    await promoteAndApply(one.kb, 'pay');
    await landRecords(
      two.core,
      'roster',
      Array.from({ length: 30 }, (_, at) => ({
        employee_id: `E${1001 + at}`,
        employee_name: `Name ${at}`,
        manager: `M${at % 4}`,
      })),
    );
    const plan = await promoteToPlan(two.kb, 'roster');
    expect(plan.items.map(({ title, merged }) => [title, merged])).toEqual([
      ['Employee gains manager, takes more sources for employee_id and employee_name', true],
    ]);
    await (
      await beginApply(two.kb.ontology, plan.promotion.id, { by: 'bo', why: 'managers' }, true)
    ).run();
    expect(
      await rowsOf(
        two.kb,
        'SELECT count(*), count(manager), count(hire_date) FROM ontology."Employee"',
      ),
    ).toEqual([['30', '30', '0']]);
    expect(
      await rowsOf(two.kb, "SELECT view_name FROM duckdb_views() WHERE schema_name = 'ontology'"),
    ).toEqual([['Employee']]);
    // The first sees the second's version at its next sync, as far as its own streams go.
    one.kb.views.request();
    expect(await one.kb.views.settled(15_000)).toBe(true);
    expect(
      await rowsOf(
        one.kb,
        'SELECT count(*), count(manager), count(hire_date) FROM ontology."Employee"',
      ),
    ).toEqual([['24', '0', '24']]);
    expect((await rowsOf(one.kb, QUESTION)).length).toBe(5);
    const seen = await Promise.all([one, two].map(({ kb }) => showModel(kb.ontology)));
    expect(seen[0]).toMatchObject({
      current: 2,
      version: { by: 'bo', why: 'managers' },
      model: seen[1]?.model,
    });
    expect([await verify(one.kb), await verify(two.kb)]).toMatchObject([
      { holds: true, model: { version: 2, types: 6, views: 6, bound: 6 } },
      { holds: true, model: { version: 2, types: 6, views: 1, bound: 1 } },
    ]);
  });

  it('promote one at a time, and the second is told who', async () => {
    const one = await openApp();
    const two = await openApp();
    await land(one.core, 'pay', PAY);
    await landRecords(two.core, 'notes', [{ note: 'a' }]);
    const begun = await beginPromotion(one.kb.ontology, 'pay', 'analyst');
    await expect(beginPromotion(two.kb.ontology, 'notes', 'bo')).rejects.toMatchObject({
      ...{ code: 'promotion_running', details: { holder: { stream: 'pay', by: 'analyst' } } },
    });
    await begun.run(() => {});
    await (await beginPromotion(two.kb.ontology, 'notes', 'bo')).run(() => {});
  });

  it('cannot both apply on the same version', async () => {
    const one = await openApp();
    const two = await openApp();
    await landRecords(one.core, 'notes', [{ note: 'a' }]);
    await landRecords(two.core, 'marks', [{ mark: '1' }]);
    const first = await promoteToPlan(one.kb, 'notes');
    const second = await promoteToPlan(two.kb, 'marks');
    const signed = { by: 'x', why: '' };
    await (await beginApply(one.kb.ontology, first.promotion.id, signed, true)).run();
    expect(await codeOf(beginApply(two.kb.ontology, second.promotion.id, signed, true))).toBe(
      'plan_outdated',
    );
  });

  it('that append the same version at once: one does, the other is told, whoever holds a lock', async () => {
    const stores = Array.from({ length: 8 }, () => postgresStore(postgres.url, model));
    const version = (by: string): ModelVersion => ({
      ...{
        version: 1,
        at: 'now',
        by,
        why: '',
        kind: 'promotion',
        stream: 's',
        restored: null,
        promotion: by,
      },
      ...{ snapshot: null, types: 0, links: 0, changes: { added: 0, changed: 0, removed: 0 } },
      model: { types: [], leftOut: [] },
    });
    const ends = await Promise.all(
      stores.map((store, at) =>
        store.append(version(`app ${at}`)).then(
          () => 'in',
          (error: { code: string }) => error.code,
        ),
      ),
    );
    expect(ends.toSorted()).toEqual(['in', ...Array.from({ length: 7 }, () => 'plan_outdated')]);
    const kept = await stores[0]?.current();
    expect(kept?.by).toBe(`app ${ends.indexOf('in')}`);
  });
});

describe('a connection that is lost', () => {
  it('is a clear error, nothing is half applied, and the views stay', async () => {
    const { core, kb } = await openApp();
    await land(core, 'pay', PAY);
    await promoteAndApply(kb, 'pay');
    await landRecords(core, 'pay', [{ pay_id: 'X', extra: '1' }]);
    const plan = await promoteToPlan(kb, 'pay');
    const begun = await beginApply(
      kb.ontology,
      plan.promotion.id,
      { by: 'analyst', why: '' },
      true,
    );
    await postgres.stop();
    try {
      await expect(begun.run()).rejects.toMatchObject({
        code: 'model_store_unreachable',
        message: expect.stringMatching(
          /^The model store at postgresql:\/\/analyst@127\.0\.0\.1:\d+\/team: .+\.$/,
        ),
      });
      expect(kb.ledger().promotions.get(plan.promotion.id)).toMatchObject({
        state: 'open',
        words: expect.stringContaining('It could not be applied'),
      });
      expect(await codeOf(showModel(kb.ontology))).toBe('model_store_unreachable');
      expect(await codeOf(beginPromotion(kb.ontology, 'pay', 'analyst'))).toBe(
        'model_store_unreachable',
      );
      // Also after a sync that cannot ask the store, the views are those of the version that was seen last.
      kb.views.request();
      expect(await kb.views.settled(30_000)).toBe(true);
      expect((await rowsOf(kb, QUESTION)).length).toBe(5);
      const columns = await rowsOf(kb, 'SELECT column_name FROM (DESCRIBE ontology."PayFact")');
      expect(columns.flat()).not.toContain('extra');
      expect((await verify(kb)).differences).toEqual([
        expect.stringContaining('The model cannot be verified: The model store at'),
      ]);
    } finally {
      await postgres.start();
    }
    await (
      await beginApply(kb.ontology, plan.promotion.id, { by: 'analyst', why: '' }, true)
    ).run();
    expect((await showModel(kb.ontology)).current).toBe(2);
  });

  it('frees the lock of a promotion', async () => {
    const { core, kb } = await openApp();
    await landRecords(core, 'notes', [{ note: 'a' }]);
    const store = postgresStore(postgres.url, model);
    const lock = await store.lock({ stream: 's', by: 'analyst', host: 'h', pid: 1, since: 'now' });
    expect(await codeOf(beginPromotion(kb.ontology, 'notes', 'bo'))).toBe('promotion_running');
    await postgres.stop();
    await postgres.start();
    await (await beginPromotion(kb.ontology, 'notes', 'bo')).run(() => {});
    await lock.release();
  });
});

describe('the password', () => {
  it('is in no answer, no message and no log, and its file is for its owner alone', async () => {
    const { core, kb } = await openApp();
    const secrets = [postgres.password, encodeURIComponent(postgres.password)];
    const shown = JSON.stringify([
      await kb.ontology.store().status(),
      await showModel(kb.ontology),
      (await strata(core.home, ['model', 'store', 'k'])).stdout,
      (await strata(core.home, ['model', 'store', 'k', '--json'])).stdout,
      await setModelStore(kb, postgres.url.replace('/team', '/nowhere'), model).then(
        (status) => status.fault,
      ),
      await setModelStore(kb, `${postgres.url}?application_name=x`, model),
    ]);
    // The built command line speaks to the server as well.
    expect(shown).toContain('\\"fault\\":null');
    for (const secret of secrets) expect(shown).not.toContain(secret);
    expect(shown).toContain('postgresql://analyst@127.0.0.1');
    expect(shown).toContain('database \\"nowhere\\" does not exist');
    expect(readFileSync(kb.paths.settings, 'utf8')).toContain(secrets[1]);
    expect(statSync(kb.paths.settings).mode & 0o777).toBe(0o600);
  });

  it('may come from the environment instead', async () => {
    const bare = postgres.url.replace(/:[^:@/]+@/, '@');
    process.env.PGPASSWORD = postgres.password;
    try {
      expect(await postgresStore(bare, model).status()).toMatchObject({ fault: null, model });
    } finally {
      delete process.env.PGPASSWORD;
    }
    expect((await postgresStore(bare, model).status()).fault).toMatch(/password/);
  });
});
