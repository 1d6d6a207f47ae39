// Owns the proof that no file, however broken, makes the footer's reader do anything but answer or refuse.

import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { plainCodec } from '../../../core/lake/parquet/codec.ts';
import { encodeBatch } from '../../../core/lake/parquet/encode-batch.ts';
import { NotParquetError } from '../../../core/lake/parquet/not-parquet-error.ts';
import { parseFooter } from '../../../core/lake/parquet/parse-footer.ts';
import { readFooter, readFooterSync } from '../../../core/lake/parquet/read-footer.ts';
import { inputOf } from './batch-of.ts';

const folder = mkdtempSync(join(tmpdir(), 'strata-footer-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'file.parquet');

const whole = Buffer.from(
  encodeBatch(
    inputOf([{ name: 'a', values: ['one', null, 'three'] }], { metadata: { batch_id: 'b-1' } }),
    plainCodec,
  ),
);
const footerLength = whole.readUInt32LE(whole.length - 8);
const footerAt = whole.length - 8 - footerLength;

/** Why a file of these bytes is refused; undefined where it is not. */
function refusal(bytes: Uint8Array): string | undefined {
  writeFileSync(path, bytes);
  try {
    readFooterSync(path);
    return undefined;
  } catch (error) {
    if (error instanceof NotParquetError) return error.reason;
    throw error;
  }
}

/** A file with these bytes for a footer. */
function withFooter(footer: Uint8Array): Buffer {
  const end = Buffer.alloc(8);
  end.writeUInt32LE(footer.length);
  end.write('PAR1', 4);
  return Buffer.concat([whole.subarray(0, footerAt), footer, end]);
}

describe('a file cut short', () => {
  it('is refused at every length', () => {
    for (let length = 0; length < whole.length; length++) {
      expect(refusal(whole.subarray(0, length))).toBe(length < 12 ? 'too_short' : 'no_magic');
    }
    expect(refusal(whole)).toBeUndefined();
  });

  it('is refused at its start too', () => {
    for (let start = 1; start < whole.length; start++) {
      expect(refusal(whole.subarray(start))).toBeDefined();
    }
  });

  it('is refused where its middle is missing', () => {
    for (let cut = 5; cut <= footerAt; cut++) {
      const bytes = Buffer.concat([whole.subarray(0, 4), whole.subarray(cut)]);
      expect(refusal(bytes)).toBe('beyond_file');
    }
  });

  it('is refused by the yielding form just so', async () => {
    writeFileSync(path, whole.subarray(0, -1));
    await expect(readFooter(path)).rejects.toMatchObject({
      name: 'NotParquetError',
      reason: 'no_magic',
    });
  });
});

describe('a footer', () => {
  it.each([0, 1, 2, footerLength - 1, footerLength + 1, 2 ** 31, 2 ** 32 - 1])(
    'that says it has %i bytes is refused',
    (length) => {
      const bytes = Buffer.from(whole);
      bytes.writeUInt32LE(length, bytes.length - 8);
      expect(refusal(bytes)).toBeDefined();
    },
  );

  it('that would take gigabytes to read is refused unread', () => {
    writeFileSync(path, 'PAR1');
    truncateSync(path, 3 * 2 ** 30);
    const end = Buffer.from('\0\0\0\x80PAR1', 'latin1');
    writeFileSync(path, end, { flag: 'a' });
    expect(() => readFooterSync(path)).toThrow(
      expect.objectContaining({ reason: 'footer_length' }),
    );
    truncateSync(path, 0);
  });

  it('that is encrypted is refused', () => {
    const bytes = Buffer.from(whole);
    bytes.write('PARE', bytes.length - 4);
    expect(refusal(bytes)).toBe('encrypted');
  });

  it('that ends at any byte is refused', () => {
    for (let length = 0; length < footerLength; length++) {
      const reason = refusal(withFooter(whole.subarray(footerAt, footerAt + length)));
      expect(reason).toBe('footer');
    }
  });

  it.each([
    ['a list of 2^31 structures', '29fcffffffff0f', 'footer'],
    ['a string of 2^40 bytes', '48808080808080200000', 'footer'],
    ['a map of 2^35 entries', '0bfe01808080808001cc', 'footer'],
    ['a field of no wire type', '1e00', 'footer'],
    ['an integer that never ends', `36${'ff'.repeat(200)}`, 'footer'],
    ['lists within lists', `09fe01${'19'.repeat(5000)}`, 'footer'],
    ['structures within structures', '1c'.repeat(100_000), 'footer'],
    ['nothing', '00', 'footer'],
    ['rows below zero', '36011900', 'footer'],
    ['no schema', '36001900', 'footer'],
    ['rows without a schema', '3600190c00', 'inconsistent'],
  ])('of %s is refused', (_what, hex, reason) => {
    expect(refusal(withFooter(Buffer.from(hex, 'hex')))).toBe(reason);
  });

  it('with any one byte another is read or refused', () => {
    const footer = Buffer.from(whole.subarray(footerAt, -8));
    for (let at = 0; at < footer.length; at++) {
      const right = footer[at] as number;
      for (let wrong = 0; wrong < 256; wrong++) {
        footer[at] = wrong;
        try {
          parseFooter(footer, footerAt, whole.length);
        } catch (error) {
          if (!(error instanceof NotParquetError)) throw error;
        }
      }
      footer[at] = right;
    }
  });
});

describe('any bytes', () => {
  it('are read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        expect(refusal(bytes)).toBeDefined();
      }),
    );
  });

  it('are read or refused as a footer', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        refusal(withFooter(bytes));
      }),
      { numRuns: 1000 },
    );
  });

  it('in place of others are read or refused', () => {
    const changes = fc.array(fc.tuple(fc.nat({ max: whole.length - 1 }), fc.nat({ max: 255 })), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(changes, (flips) => {
        const bytes = Buffer.from(whole);
        for (const [at, value] of flips) bytes[at] = value;
        refusal(bytes);
      }),
      { numRuns: 1000 },
    );
  });
});
