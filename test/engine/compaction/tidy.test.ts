// What an undo took out of data/: a reader whose ledger was behind may be in it, and it goes only when nobody is.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { removeStaged } from '../../../core/engine/compaction/tidy.ts';
import { recover } from '../../../core/engine/recover.ts';
import { createKnowledgebase, createStream } from '../../../core/knowledgebase/create.ts';
import { shareFolder } from '../../../core/knowledgebase/folder-lock.ts';
import { transitPaths } from '../../../core/knowledgebase/paths.ts';
import { openLedger } from '../../../core/ledger/open.ts';
import { removeTempFolders, tempFolder } from '../../helpers/server.ts';

afterAll(removeTempFolders);

/** A knowledgebase with what a run left in staging. */
const withStaged = (side: 'in' | 'out') => {
  const paths = createKnowledgebase(tempFolder(), 'k');
  createStream(paths, 's', null, {});
  const { inStaging } = transitPaths(paths.stream('s'), '20260712-140211-3f9c1a');
  mkdirSync(join(inStaging, side), { recursive: true });
  writeFileSync(join(inStaging, side, 'c~1.parquet'), 'rows');
  return { paths, inStaging };
};

it('waits while somebody reads', () => {
  const { paths, inStaging } = withStaged('out');
  const reader = shareFolder(paths);
  expect([removeStaged(paths, inStaging), existsSync(inStaging)]).toEqual([false, true]);
  reader?.release();
  expect([removeStaged(paths, inStaging), existsSync(inStaging)]).toEqual([true, false]);
  // Nobody is kept out by it afterwards.
  shareFolder(paths)?.release();
});

it('nobody reads what a merge has made', () => {
  const { paths, inStaging } = withStaged('in');
  const reader = shareFolder(paths);
  expect([removeStaged(paths, inStaging), existsSync(inStaging)]).toEqual([true, false]);
  reader?.release();
});

it('recovery leaves it to the next one too', () => {
  const { paths, inStaging } = withStaged('out');
  const ledger = openLedger(paths.ledger);
  onTestFinished(() => ledger.close());
  const reader = shareFolder(paths);
  expect([recover(paths, ledger).swept, existsSync(inStaging)]).toEqual([0, true]);
  reader?.release();
  expect([recover(paths, ledger).swept, existsSync(inStaging)]).toEqual([1, false]);
});
