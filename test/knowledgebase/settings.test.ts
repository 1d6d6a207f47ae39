// When a reader of a settings file sees a change: its own process's at once, another's from the next turn on.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  readStreamSettings,
  type StreamSettings,
  watchSettings,
  writeSettings,
} from '../../core/knowledgebase/settings.ts';
import { removeTempFolders, tempFolder } from '../helpers/server.ts';

afterAll(removeTempFolders);

const settings = (columns: string[] | null): StreamSettings => ({
  ...{ id: 's', created_at: '2026-01-01T00:00:00.000Z', columns },
  ...{ recognise_equal_bodies: false, date_folders: false, partial_landing: false },
  compaction: { policy: 'suggested', files: 2_000, retention_days: 7 },
});
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A reader, and how often it has read the file. */
const openReader = () => {
  const path = join(tempFolder(), 'stream.json');
  writeSettings(path, settings(null));
  const reads: string[] = [];
  const read = watchSettings(path, (from) => {
    reads.push(from);
    return readStreamSettings(from);
  });
  return { path, reads, read };
};

describe('a reader of settings', () => {
  it('sees what its own process replaces within the same turn', () => {
    const { path, read } = openReader();
    expect(read()).toEqual(settings(null));
    writeSettings(path, settings(['a']));
    expect(read()).toEqual(settings(['a']));
    writeSettings(path, settings(['a', 'b']));
    expect(read()).toEqual(settings(['a', 'b']));
  });

  it('sees what others write from the next turn on', async () => {
    const { path, read } = openReader();
    expect(read()).toEqual(settings(null));
    writeFileSync(path, JSON.stringify(settings(['from', 'elsewhere'])));
    await nextTurn();
    expect(read()).toEqual(settings(['from', 'elsewhere']));
  });

  it('reads the file once while it stays as it is', async () => {
    const { path, reads, read } = openReader();
    for (let turn = 0; turn < 3; turn += 1) {
      expect([read(), read()]).toEqual([settings(null), settings(null)]);
      await nextTurn();
    }
    expect(reads).toEqual([path]);
  });
});
