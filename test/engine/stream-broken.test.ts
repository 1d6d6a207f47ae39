// A stream.json that cannot be read: that stream takes nothing in and says why, everything else goes on.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { verify } from '../../core/engine/verify.ts';
import { queryPage } from '../../core/lake/query.ts';
import { codeOf, land, type TestCore } from '../helpers/core.ts';
import { type Filled, filledKnowledgebase, namesIn, withCore } from '../helpers/filled.ts';
import { removeTempFolders } from '../helpers/server.ts';

afterAll(removeTempFolders);

let filled: Filled;
let whole: string;
beforeEach(async () => {
  filled = await filledKnowledgebase();
  whole = readFileSync(filled.at('stream.json'), 'utf8');
});

const breakIt = (text: string): void => writeFileSync(filled.at('stream.json'), text);

const stateOf = (core: TestCore, stream = 's') =>
  core.listStreams('k').find((one) => one.stream === stream);

/** On a slow machine a stream may be slow. */
const WELL = { status: expect.stringMatching(/^(landing|lagging)$/) };

const WAYS: [string, () => void, string][] = [
  ['no JSON', () => breakIt('{"id":'), 'Its stream.json cannot be read: '],
  ['nothing', () => breakIt(''), 'Its stream.json cannot be read: '],
  [
    'another shape',
    () => breakIt(whole.replace('"columns": null', '"columns": "a"')),
    'Its stream.json cannot be read: columns: Invalid input: expected array, received string.',
  ],
  [
    'a folder',
    () => {
      rmSync(filled.at('stream.json'));
      mkdirSync(filled.at('stream.json'));
    },
    'Its stream.json cannot be read: EISDIR: illegal operation on a directory, read.',
  ],
  ['gone', () => rmSync(filled.at('stream.json')), 'Its stream.json is missing.'],
];

describe.each(WAYS)('a stream.json that is %s', { timeout: 60_000 }, (_, damage, reason) => {
  it('keeps its stream from taking anything in, and nothing else from anything', async () => {
    damage();
    const data = namesIn(filled.at('data'));
    const failed = namesIn(filled.at('failed'));
    await withCore(filled.home, async (core) => {
      const { recovery, query, views, ledger } = core.knowledgebase('k');
      expect(recovery).toMatchObject({ recorded: 0, setAside: [], missing: [] });
      expect(recovery?.broken).toEqual([expect.stringContaining(`s: ${reason}`)]);
      expect(stateOf(core)).toMatchObject({
        ...{ status: 'error', trouble: expect.stringContaining(reason), rows: 5, files: 2 },
        ...{ registered: null, recogniseEqualBodies: false, dateFolders: false },
      });
      expect(await codeOf(land(core, 's', '{"a":1}\n', 'three'))).toBe('stream_broken');
      expect(await codeOf(land(core, 'S', '{"a":1}\n'))).toBe('stream_broken');
      // A batch that has landed before is not known either while nobody can say what the stream takes.
      expect(await codeOf(land(core, 's', '{"a":1}\n', 'one'))).toBe('stream_broken');
      expect(namesIn(filled.at('data'))).toEqual(data);
      expect(namesIn(filled.at('failed'))).toEqual(failed);
      expect(await land(core, 'other', '{"a":1}\n')).toMatchObject({ rows: 1 });
      expect(stateOf(core, 'other')).toMatchObject(WELL);
      await views.settled(15_000);
      const page = await queryPage(query, 'SELECT count(*) FROM raw_extracted.stream_s');
      expect([page.rows, views.waitingFor]).toEqual([[['5']], null]);
      expect(ledger().events.list(100)).toContainEqual(
        expect.objectContaining({ kind: 'stream-broken', stream: 's', level: 'error' }),
      );
    });
  });

  it('is said by verify and by repair, and mended by putting it back', async () => {
    damage();
    await withCore(filled.home, async (core) => {
      const proof = await verify(core.knowledgebase('k'));
      expect(proof).toMatchObject({ holds: false, differences: [] });
      expect(proof.streams.map(({ differences, viewRows }) => [differences, viewRows])).toEqual([
        [[expect.stringContaining(reason)], 5],
      ]);
      const { broken, recorded, setAside, missing } = await core.repair('k');
      expect([broken, recorded, setAside, missing]).toEqual([
        ...[[expect.stringContaining(`s: ${reason}`)], 2, [], []],
      ]);
      rmSync(filled.at('stream.json'), { recursive: true, force: true });
      breakIt(whole);
      expect(stateOf(core)).toMatchObject({ ...WELL, rows: 5 });
      expect(await land(core, 's', '{"a":1}\n', 'three')).toMatchObject({ rows: 1 });
    });
    await withCore(filled.home, async (core) => {
      expect(stateOf(core)?.createdAt).toBe(JSON.parse(whole).created_at);
      expect(await verify(core.knowledgebase('k'))).toMatchObject({ holds: true });
    });
  });

  it('is mended by making the stream again, and what has landed stays', async () => {
    damage();
    await withCore(filled.home, async (core) => {
      expect(stateOf(core)?.status).toBe('error');
      rmSync(filled.at('stream.json'), { recursive: true, force: true });
      expect(await codeOf(land(core, 's', '{"a":1}\n'))).toBe('stream_broken');
      const { streams } = core.knowledgebase('k');
      // In whatever case: it is the same stream.
      expect(streams.create('S', ['a', 'b', 'filename']).id).toBe('s');
      expect(namesIn(filled.paths.streams)).toEqual(['s']);
      expect(stateOf(core)).toMatchObject({ ...WELL, rows: 5, files: 2 });
      expect(await codeOf(land(core, 's', '{"x":1}\n'))).toBe('unknown_column');
      expect(await land(core, 's', '{"a":1}\n')).toMatchObject({ rows: 1 });
      expect(() => streams.create('s', null)).toThrow('There is a stream "s" already.');
    });
  });
});

it('a running engine sees it at once, and sees it mended', async () => {
  await withCore(filled.home, async (core) => {
    await land(core, 's', '{"a":1}\n');
    breakIt('{');
    expect(stateOf(core)?.status).toBe('error');
    expect(await codeOf(land(core, 's', '{"a":1}\n'))).toBe('stream_broken');
    const target = core.intake.target('k', 's');
    expect(() => target.checkStream()).toThrow(/stream\.json is not as Strata wrote it/);
    breakIt(whole);
    expect(await land(core, 's', '{"a":1}\n')).toMatchObject({ rows: 1 });
  });
});
