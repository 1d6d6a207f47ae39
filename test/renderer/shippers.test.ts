// Holds the shippers' texts to what their tools and the listener take.

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import {
  addressOf,
  piecesOf,
  SHIPPERS,
  sampleOf,
  type Target,
} from '../../renderer/app/shippers.ts';

const target: Target = {
  ingestUrl: 'http://127.0.0.1:7423',
  knowledgebase: 'field-2026',
  stream: 'hello',
  maxBodyBytes: 1_048_576,
  needsToken: false,
  columns: null,
};
const ADDRESS = 'http://127.0.0.1:7423/knowledgebase/field-2026/strata/ingest/hello';

const textOf = (name: string, change: Partial<Target> = {}): string =>
  SHIPPERS.find((shipper) => shipper.name === name)?.text({ ...target, ...change }) ?? '';

describe('what is copied', () => {
  it('has the address of the stream, the media type and no token', () => {
    expect(addressOf(target)).toBe(ADDRESS);
    for (const { name, text } of SHIPPERS) {
      const written = text(target);
      if (name !== 'Fluent Bit') expect(written).toContain(ADDRESS);
      expect(written).toMatch(/Content-?Type/i);
      expect(written).toContain('application/x-ndjson');
      expect(written).not.toMatch(/token|authorization/i);
    }
  });

  it('has a place for the token where one is needed', () => {
    for (const { text } of SHIPPERS) {
      expect(text({ ...target, needsToken: true })).toMatch(/Bearer .*TOKEN/);
    }
  });

  it('sends a row of the registered columns', () => {
    expect(sampleOf(target)).toBe(
      '{"ts":"2026-07-12T14:02:00Z","sensor_id":"sensor-001","celsius":"21.40"}',
    );
    expect(sampleOf({ ...target, columns: ['id', "it's"] })).toBe(`{"id":"1","it's":"1"}`);
  });

  it.skipIf(process.platform === 'win32')('survives a shell, whatever a column is called', () => {
    const columns = ["it's", 'a "b" $HOME `id` \\'];
    const command = textOf('curl', { columns }).replace(/^curl/, 'printf "%s\\n"');
    const words = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).split('\n');
    expect(JSON.parse(words.at(-2) ?? '')).toEqual({
      [columns[0] ?? '']: '1',
      [columns[1] ?? '']: '1',
    });
  });

  it('quotes for PowerShell by doubling', () => {
    expect(textOf('PowerShell', { columns: ["it's"] })).toContain(`'{"it''s":"1"}'`);
  });

  it('splits the address for Fluent Bit, of IPv6 and of port 80 too', () => {
    const text = textOf('Fluent Bit');
    expect(text).toMatch(/Host +127\.0\.0\.1\n/);
    expect(text).toMatch(/Port +7423\n/);
    expect(text).toMatch(/URI +\/knowledgebase\/field-2026\/strata\/ingest\/hello\n/);
    const other = textOf('Fluent Bit', { ingestUrl: 'http://[::1]:80' });
    expect(other).toMatch(/Host +::1\n/);
    expect(other).toMatch(/Port +80\n/);
  });

  it('keeps the batches of Vector and syslog-ng within the limit', () => {
    expect(textOf('Vector')).toContain('max_bytes: 524288');
    expect(textOf('syslog-ng')).toContain('batch-bytes(524288)');
  });

  it('lets syslog-ng drop what was rejected and kept, so that it does not send it for ever', () => {
    expect(textOf('syslog-ng')).toContain(
      'response-action(400 => drop, 413 => drop, 415 => drop, 422 => drop)',
    );
  });

  it('warns of chunks of Fluent Bit that are over the limit', () => {
    const note = (maxBodyBytes: number) =>
      SHIPPERS.find(({ name }) => name === 'Fluent Bit')?.note({ ...target, maxBodyBytes });
    expect(note(1_048_576)).toContain('8 MB');
    expect(note(8_000_000)).not.toContain('8 MB');
  });
});

describe('how it is drawn', () => {
  it('gives back every text as it is', () => {
    for (const { text } of SHIPPERS) {
      const written = text(target);
      expect(
        piecesOf(written, 'hello')
          .map((piece) => piece.text)
          .join(''),
      ).toBe(written);
    }
  });

  it('marks the stream in the address, strings and comments', () => {
    const pieces = piecesOf(textOf('curl'), 'hello');
    expect(pieces.filter(({ kind }) => kind === 'stream')).toHaveLength(1);
    expect(pieces).toContainEqual({ kind: 'string', text: "'Idempotency-Key: hello-1'" });
    expect(piecesOf('# a\nb', 'hello')[0]).toEqual({ kind: 'comment', text: '# a' });
  });
});
