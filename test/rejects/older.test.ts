// Folders and ledgers as they may be found: made by an older Strata, without states, with strays, with a state that is
// newer than the ledger.

import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { rejectDetail } from '../../core/engine/rejects/detail.ts';
import { listRejects } from '../../core/engine/rejects/find.ts';
import { replayReject } from '../../core/engine/rejects/replay.ts';
import { discardReject } from '../../core/engine/rejects/set-aside.ts';
import { verify } from '../../core/engine/verify.ts';
import { openSqlite } from '../../core/sqlite.ts';
import { codeOf, land, openTestCore, type TestCore } from '../helpers/core.ts';
import { removeTempFolders, tempFolder } from '../helpers/server.ts';

const ACTOR = { by: 'test', recipeId: null, operation: null };
let home: string;

beforeEach(async () => {
  home = tempFolder();
  await withCore(async (core) => {
    core.createKnowledgebase('k');
    expect(await codeOf(land(core, 's', '{"a":1}{"a":2}\n', 'one'))).toBe('not_json');
    expect(await codeOf(land(core, 's', '{"b":1,"B":2}\n', 'two'))).toBe('column_case_conflict');
  });
});
afterAll(removeTempFolders);

const withCore = async (work: (core: TestCore) => Promise<void>): Promise<void> => {
  const core = openTestCore({ home });
  try {
    await work(core);
    expect(core.logged).toEqual([]);
  } finally {
    await core.close();
  }
};

const folder = (name: string): string => join(home, 'k/strata/streams/s', name);
const failed = (name: string): string => join(folder('failed'), name);
const ledger = (sql: string): void => {
  const db = openSqlite(join(home, 'k/ledger.sqlite'));
  db.exec(sql);
  db.close();
};
const causes = async (core: TestCore) =>
  (await listRejects(core.knowledgebase('k'), {}, 10)).rejects.map(
    ({ rejectId, state, field, shape }) => [rejectId, state, field, shape],
  );
const OPEN = [
  ['two', 'open', 'b', 'other'],
  ['one', 'open', null, 'two_objects'],
];

/** Makes the reasons as they were before causes were told. */
const forgetCauses = (): void => {
  for (const name of ['one.err', 'two.err']) {
    const {
      field: _,
      shape: __,
      part_of: ___,
      ...reason
    } = JSON.parse(readFileSync(failed(name), 'utf8'));
    writeFileSync(failed(name), JSON.stringify(reason));
  }
};

describe('what an older Strata kept', () => {
  it('gets its causes when its ledger is brought up to date', async () => {
    forgetCauses();
    ledger('UPDATE rejects SET shape = NULL, field = NULL');
    await withCore(async (core) => expect(await causes(core)).toEqual(OPEN));
  });

  it('and when the ledger is gone', async () => {
    forgetCauses();
    for (const end of ['', '-wal', '-shm']) {
      rmSync(join(home, `k/ledger.sqlite${end}`), { force: true });
    }
    await withCore(async (core) => {
      expect((await causes(core)).sort()).toEqual([...OPEN].sort());
      expect((await verify(core.knowledgebase('k'))).holds).toBe(true);
    });
  });

  it('without a body is shown with its reason', async () => {
    forgetCauses();
    rmSync(failed('one.ndjson'));
    ledger('UPDATE rejects SET shape = NULL, field = NULL');
    await withCore(async (core) => {
      const detail = await rejectDetail(core.knowledgebase('k'), 's', 'one');
      expect([detail.shape, detail.now, detail.faults.length]).toEqual(['other', null, 1]);
      const { streams } = await verify(core.knowledgebase('k'));
      expect(streams[0]?.differences).toEqual(['The body of the reject one is not in failed/.']);
    });
  });
});

describe('a state beside the body', () => {
  it('that is newer than the ledger counts: a power cut took the ledger’s last write', async () => {
    await withCore(async (core) => discardReject(core.rejects('k'), 's', 'one', ACTOR));
    ledger("UPDATE rejects SET state = 'open', changed_at = NULL, saved_ms = NULL");
    await withCore(async (core) => {
      expect((await causes(core)).map(([, state]) => state)).toEqual(['open', 'discarded']);
    });
  });

  it('that is older than the ledger does not count, whatever its time is', async () => {
    await withCore(async (core) => discardReject(core.rejects('k'), 's', 'one', ACTOR));
    ledger(
      "UPDATE rejects SET state = 'open', changed_at = NULL, unsaved = 1 WHERE state <> 'open'",
    );
    utimesSync(failed('one.state'), new Date(), new Date());
    writeFileSync(failed('one.state.1.new'), '{');
    utimesSync(failed('one.state.1.new'), 0, 0);
    await withCore(async (core) => expect(await causes(core)).toEqual(OPEN));
    expect(JSON.parse(readFileSync(failed('one.state'), 'utf8')).state).toBe('open');
    expect(existsSync(failed('one.state.1.new'))).toBe(false);
  });

  it('that is cut or none of ours is passed over', async () => {
    writeFileSync(failed('one.state'), '{"state":');
    writeFileSync(failed('two.state'), '[]');
    await withCore(async (core) => expect(await causes(core)).toEqual(OPEN));
  });

  it('is written anew where the ledger says that it is behind', async () => {
    ledger("UPDATE rejects SET state = 'discarded', unsaved = 1 WHERE reject_id = 'one'");
    await withCore(async (core) => void core.knowledgebase('k'));
    expect(JSON.parse(readFileSync(failed('one.state'), 'utf8'))).toMatchObject({
      ...{ reject_id: 'one', state: 'discarded', attempts: [] },
    });
  });
});

describe('bad lines whose batch never landed', () => {
  const stray = (): void => {
    const reason = JSON.parse(readFileSync(failed('one.err'), 'utf8'));
    const part = { ...reason, reject_id: 'p', batch_id: 'p', part_of: 'p', lines: [1] };
    writeFileSync(failed('p.err'), JSON.stringify(part));
    writeFileSync(failed('p.ndjson'), readFileSync(failed('one.ndjson')));
  };

  it('count for nothing, and go after an hour', async () => {
    stray();
    await withCore(async (core) => {
      expect(await causes(core)).toEqual(OPEN);
      expect((await verify(core.knowledgebase('k'))).holds).toBe(true);
    });
    expect(existsSync(failed('p.ndjson'))).toBe(true);
    const before = Date.now() / 1_000 - 3_700;
    utimesSync(failed('p.err'), before, before);
    await withCore(async (core) => expect(await causes(core)).toEqual(OPEN));
    expect(readdirSync(folder('failed')).filter((name) => name.startsWith('p'))).toEqual([]);
  });
});

describe('the links between a reject and its batch', () => {
  beforeEach(() =>
    withCore(async (core) => {
      const fixes = [{ kind: 'split-objects' }] as const;
      const done = await replayReject(core.rejects('k'), 's', 'one', { fixes }, ACTOR);
      expect(done.landed).toBe(true);
    }),
  );

  it('are mended from the file when the ledger lost the reject’s end', async () => {
    ledger("UPDATE rejects SET state = 'open', landed_as = NULL; DELETE FROM attempts");
    rmSync(failed('one.state'));
    await withCore(async (core) => {
      const detail = await rejectDetail(core.knowledgebase('k'), 's', 'one');
      expect(detail).toMatchObject({
        ...{ state: 'replayed', landedAs: 'one', changedBy: 'test', attempts: 1 },
        history: [{ number: 1, by: 'test', outcome: 'landed', batchId: 'one', rows: 2 }],
      });
      expect((await verify(core.knowledgebase('k'))).holds).toBe(true);
    });
  });

  it('are proved: each difference is named', async () => {
    await withCore(async (core) => {
      ledger("UPDATE rejects SET landed_as = 'other' WHERE reject_id = 'one'");
      const { streams } = await verify(core.knowledgebase('k'));
      expect(streams[0]?.differences).toEqual([
        'The batch one is the repair of the reject one, which is replayed.',
      ]);
      ledger("UPDATE batches SET reject_id = NULL WHERE batch_id = 'one'");
      const again = await verify(core.knowledgebase('k'));
      expect(again.streams[0]?.differences).toEqual([
        'Received 2, but landed 1 + rejected 2 + replayed 0 + refused 0 = 3: 1 were counted twice.',
      ]);
    });
  });
});
