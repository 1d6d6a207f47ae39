// Owns what the desk does with kept bodies, task by task: reads, checks, mends, searches, writes what SQL reads.
// Never knows a ledger or a stream: what a task needs comes with it. Blocking calls are meant; the desk is a thread.

import { setImmediate as turn } from 'node:timers/promises';
import type {
  BodyPage,
  Cause,
  Checked,
  CheckedMend,
  Fix,
  FixOffer,
  Mend,
  Reject,
  ShownLine,
} from '../../model.ts';
import { causeOf } from '../cause.ts';
import {
  checkAsItCame,
  checkMended,
  type MendCheck,
  offersFor,
  shownCheck,
  tryMend,
} from '../check-mended.ts';
import { hasText } from '../has-text.ts';
import { type Reason, readReason } from '../keep.ts';
import { lineAt, lineStarts, sourceOf } from '../lines.ts';
import { type BodyRange, pageOf } from '../page.ts';
import type { RejectRules } from '../rules.ts';
import { showLine } from '../show-line.ts';
import { bodyAt, bodyIfThere, bytesIfThere, pagedAt } from './bodies.ts';
import { type Chunk, writeChunk } from './chunk.ts';

/** A kept reject's files; `body` is null where retention removed it. */
export interface KeptFiles {
  readonly body: string | null;
  readonly reason: string;
}

/** A body, what it is mended by, and what it is held against. */
interface MendTask {
  readonly body: string;
  readonly mend: Mend;
  readonly rules: RejectRules;
}

/** What is told of a reject beside what the ledger has. */
export interface Told {
  readonly reason: Pick<Reason, 'hint' | 'content_type' | 'errors' | 'lines'> | null;
  readonly now: Checked | null;
  readonly offers: readonly FixOffer[];
}

/** What fixes do to a body. */
export interface Tried {
  readonly passes: boolean;
  readonly ok: boolean;
  readonly records: number;
  readonly linesChanged: number;
  readonly linesLost: number;
  readonly registers: readonly string[];
  /** Of what is still wrong. */
  readonly cause: Cause | null;
}

/** A body that is ready to be landed, and how it is held. */
export interface ReadyBody {
  /** In a buffer of its own. */
  readonly bytes: Uint8Array;
  /** The line in the POST of each of its lines; null where they are the same. */
  readonly sources: Int32Array | null;
  /** Whether it is another body than the one that came. */
  readonly isOther: boolean;
  readonly contentType: string | null;
  readonly check: Omit<MendCheck, 'mended'> & Omit<MendCheck['mended'], 'bytes' | 'sources'>;
}

/** The most lines of a part whose place in the POST is told. */
const MOST_SOURCE_LINES = 10_000;

export const WORK = {
  /** Everything about one reject; without a body what can be told without one. */
  tell: ({
    reject,
    files,
    rules,
  }: {
    readonly reject: Reject;
    readonly files: KeptFiles;
    readonly rules: RejectRules;
  }): Told => {
    const kept = readReason(files.reason);
    const reason = kept && {
      ...{ hint: kept.hint, content_type: kept.content_type, errors: kept.errors },
      ...(kept.lines ? { lines: kept.lines.slice(0, MOST_SOURCE_LINES) } : {}),
    };
    const body = files.body === null ? null : bodyIfThere(files.body);
    const now = body && checkAsItCame(body, rules);
    return {
      ...{ reason: reason ?? null, now: now?.checked ?? null },
      offers: body && now && reject.state === 'open' ? offersFor(reject, body, now, rules) : [],
    };
  },

  /** A piece of a body. */
  page: ({ body, range }: { readonly body: string; readonly range: BodyRange }): BodyPage =>
    pageOf(pagedAt(body), range),

  /** A mended body as a face sees it. Throws `fix_not_possible`, `body_too_large`. */
  check: ({ body, mend, rules }: MendTask): CheckedMend => {
    const bytes = bodyAt(body);
    return shownCheck(bytes, checkMended(bytes, mend, rules));
  },

  /** What fixes would do; null where the body is gone. */
  tryFixes: ({
    body,
    fixes,
    rules,
  }: {
    readonly body: string;
    readonly fixes: readonly Fix[];
    readonly rules: RejectRules;
  }): Tried | 'impossible' | null => {
    const bytes = bodyIfThere(body);
    if (!bytes) return null;
    const tried = tryMend(bytes, { fixes }, rules);
    if (!tried) return 'impossible';
    const { passes, checked, linesChanged, linesLost, mended } = tried;
    const [fault] = checked.faults;
    return {
      ...{ passes, ok: checked.ok, records: checked.records, linesChanged, linesLost },
      registers: mended.registers,
      cause: fault ? causeOf(mended.bytes, fault) : null,
    };
  },

  /** The body that a mend makes, to be landed. Throws `fix_not_possible`, `body_too_large`. */
  ready: ({ body, reason, mend, rules }: MendTask & { readonly reason: string }): ReadyBody => {
    const came = bodyAt(body);
    const { mended, ...check } = checkMended(came, mend, rules);
    const { bytes, sources, ...asked } = mended;
    const kept = readReason(reason);
    return {
      // What it came as may be asked for again; another buffer is free to go.
      bytes: bytes === came || bytes.length < bytes.buffer.byteLength ? bytes.slice() : bytes,
      sources: sourcesInPost(sources, kept?.lines),
      isOther: Buffer.compare(came, bytes) !== 0,
      contentType: kept?.content_type ?? null,
      check: { ...check, ...asked },
    };
  },

  /** A line of a body as text; null where it has none of this number, or is gone. */
  line: ({
    body,
    line,
    width,
  }: {
    readonly body: string;
    readonly line: number;
    readonly width: number;
  }): ShownLine | null => {
    const bytes = bodyIfThere(body);
    if (!bytes) return null;
    const starts = lineStarts(bytes);
    return line <= starts.length ? showLine(lineAt(bytes, starts, line), width) : null;
  },

  /** Which bodies have a text; one that is gone has none. */
  search: async ({
    bodies,
    text,
  }: {
    readonly bodies: readonly string[];
    readonly text: string;
  }): Promise<boolean[]> => {
    const found: boolean[] = [];
    for (const body of bodies) {
      const bytes = bytesIfThere(body);
      found.push(bytes !== null && hasText(bytes, text));
      await turn();
    }
    return found;
  },

  /** Writes a file that SQL reads rejects from. */
  writeChunk: (chunk: Chunk): Promise<void> => writeChunk(chunk),
};

/** The lines of a part are lines of its POST by what was kept with it. */
const sourcesInPost = (
  sources: Int32Array | null,
  lines: readonly number[] | undefined,
): Int32Array | null => {
  if (!lines) return sources;
  const count = sources?.length ?? lines.length;
  return Int32Array.from(
    { length: count },
    (_, at) => lines[sourceOf(sources, at + 1) - 1] ?? (lines.at(-1) as number),
  );
};
