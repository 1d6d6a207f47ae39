// Owns mending a body: edits by hand and fixes, in order, each on the result of the one before. Pure.
// Never sends anything, and never changes a line that no edit or fix concerns.

import { AppError } from '../errors.ts';
import { fold } from '../ids.ts';
import { parseBatch } from '../ingest/ndjson/parse-batch.ts';
import type { Fix, LineEdit, Mend } from '../model.ts';
import { causeOf } from './cause.ts';
import { sourcesOf } from './diff.ts';
import { dropField, keepDuplicate, renameField } from './fixes/fields.ts';
import { replaceInvalidUtf8, replaceLoneSurrogates, splitObjects } from './fixes/text.ts';
import { unpackBody } from './fixes/unpack.ts';
import { lineAt, lineStarts, replaceLines, type TracedBody } from './lines.ts';

/** What a mend is held against. */
export interface MendLimits {
  /** The stream's registered columns; null where any field is welcome. */
  readonly registered: readonly string[] | null;
  readonly maxBytes: number;
}

/** A mended body, and what else its fixes ask for. */
export interface Mended extends TracedBody {
  /** Columns to be registered on the stream before it lands. */
  readonly registers: readonly string[];
  readonly partial: boolean;
  readonly ownId: boolean;
}

/**
 * Mends a body. `badLines` are those of the body as it came, held against the limits, where they are known.
 * Throws `fix_not_possible`, `body_too_large`.
 */
export const mendBody = (
  original: Uint8Array,
  mend: Mend,
  limits: MendLimits,
  badLines?: readonly number[],
): Mended => {
  const faulty = ({ bytes, registers }: Mended): readonly number[] =>
    badLines && bytes === original && registers.length === 0
      ? badLines
      : badLinesOf(bytes, registers, limits);
  let mended: Mended = {
    ...startingBody(original, mend),
    ...{ registers: [], partial: false, ownId: false },
  };
  if (mend.edits && mend.edits.length > 0) mended = { ...mended, ...edit(mended, mend.edits) };
  for (const fix of mend.fixes ?? []) mended = applyFix(mended, fix, limits, faulty);
  if (mended.bytes.length > limits.maxBytes) {
    throw new AppError('body_too_large', `The mended body is over ${limits.maxBytes} bytes.`, {
      details: { max_body_bytes: limits.maxBytes },
    });
  }
  return mended;
};

const startingBody = (original: Uint8Array, { body }: Mend): TracedBody => {
  if (body === undefined) return { bytes: original, sources: null };
  const bytes = new Uint8Array(
    'text' in body ? Buffer.from(body.text) : Buffer.from(body.base64, 'base64'),
  );
  return { bytes, sources: sourcesOf(original, bytes) };
};

const edit = (body: TracedBody, edits: readonly LineEdit[]): TracedBody => {
  const lines = lineStarts(body.bytes).length;
  const changes = new Map<number, Uint8Array[]>();
  for (const { line, text } of edits) {
    if (line > lines) {
      throw new AppError('fix_not_possible', `There is no line ${line}; the body has ${lines}.`);
    }
    changes.set(line, text === null ? [] : text.split('\n').map((part) => Buffer.from(part)));
  }
  return replaceLines(body, (line) => changes.get(line) ?? null);
};

/** In place of a line that goes. */
const NOTHING: Uint8Array[] = [];

/** A change of one line: other lines in its place, or null where it is not concerned. */
type LineFix = (line: () => Uint8Array, isLast: boolean) => Uint8Array[] | null;

const applyFix = (
  body: Mended,
  fix: Fix,
  limits: MendLimits,
  faulty: (body: Mended) => readonly number[],
): Mended => {
  switch (fix.kind) {
    case 'register-column': {
      const { registered } = limits;
      const known = [...(registered ?? []), ...body.registers].map(fold);
      const isNew = registered !== null && !known.includes(fold(fix.column));
      return isNew ? { ...body, registers: [...body.registers, fix.column] } : body;
    }
    case 'land-good-lines':
      return { ...body, partial: true };
    case 'own-batch-id':
      return { ...body, ownId: true };
    case 'unpack': {
      const bytes = unpackBody(body.bytes, limits.maxBytes);
      if (bytes) return { ...body, bytes, sources: null };
      const message = 'The body is not packed in a way that is known, or too large unpacked.';
      throw new AppError('fix_not_possible', message);
    }
    default:
      return { ...body, ...fixLines(body, lineFixOf(fix), faulty(body)) };
  }
};

const lineFixOf = (fix: Fix): LineFix => {
  const single = (line: Uint8Array | null): Uint8Array[] | null => line && [line];
  switch (fix.kind) {
    case 'drop-lines':
      return () => NOTHING;
    case 'drop-field':
      return (line) => single(dropField(line(), fix.field));
    case 'rename-field':
      return (line) => single(renameField(line(), fix.field, fix.to));
    case 'keep-duplicate':
      return (line) => single(keepDuplicate(line(), fix.keep));
    case 'replace-invalid-utf8':
      return (line) => single(replaceInvalidUtf8(line()));
    case 'replace-lone-surrogates':
      return (line) => single(replaceLoneSurrogates(line()));
    case 'split-objects':
      return (line) => splitObjects(line());
    case 'drop-cut-line':
      return (line, isLast) => (isLast && isCut(line()) ? NOTHING : null);
    default:
      return () => null;
  }
};

/** Whether a faulty line ends inside its record, or inside a character. */
const isCut = (line: Uint8Array): boolean => {
  const outcome = parseBatch(line);
  const [fault] = outcome.ok ? [] : outcome.faults;
  if (!fault) return false;
  if (fault.code === 'invalid_utf8') {
    const clean = replaceInvalidUtf8(line) as Uint8Array;
    const again = parseBatch(clean);
    return (
      !again.ok &&
      again.faults[0] !== undefined &&
      causeOf(clean, again.faults[0]).shape === 'cut_short'
    );
  }
  return causeOf(line, fault).shape === 'cut_short';
};

/** Runs a fix over the lines that have a fault as things are now. */
const fixLines = (body: Mended, fix: LineFix, badLines: readonly number[]): TracedBody => {
  if (badLines.length === 0) return body;
  const starts = lineStarts(body.bytes);
  const lastText = lastTextLine(body.bytes, starts);
  let next = 0;
  return replaceLines(body, (line) => {
    if (line !== badLines[next]) return null;
    next += 1;
    return fix(() => lineAt(body.bytes, starts, line), line === lastText);
  });
};

/** Numbers of the lines that have a fault. */
const badLinesOf = (
  bytes: Uint8Array,
  registers: readonly string[],
  { registered }: MendLimits,
): number[] => {
  const badLines: number[] = [];
  const options = registered === null ? {} : { registered: [...registered, ...registers] };
  parseBatch(bytes, { badLines, ...options });
  return badLines;
};

/** The last line that is not blank. */
const lastTextLine = (body: Uint8Array, starts: Int32Array): number => {
  for (let line = starts.length; line > 0; line -= 1) {
    if (lineAt(body, starts, line).some((byte) => byte > 0x20)) return line;
  }
  return 0;
};
