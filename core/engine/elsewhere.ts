// Owns noticing what other processes change: what lands, rejects, compactions, settings, the list of knowledgebases.
// Never looks while nobody wants to hear, and at no more than a few numbers while nothing changes.

import { existsSync, statSync } from 'node:fs';
import { knowledgebasePaths } from '../knowledgebase/paths.ts';
import type { StreamMarks } from '../ledger/marks.ts';
import type { Ledger } from '../ledger/open.ts';
import type { LiveNews } from '../model.ts';
import type { OpenKnowledgebase } from './open.ts';

export interface Elsewhere {
  /** Looks once a second from now on, until the returned function is called. */
  follow(): () => void;
}

export interface ElsewhereOptions {
  readonly opened: () => OpenKnowledgebase[];
  /** The folders of the list. */
  readonly folders: () => string[];
  readonly announce: (news: LiveNews) => void;
  readonly onBug: (error: unknown) => void;
}

const LOOK_MS = 1_000;

/** A knowledgebase as it was when it was looked at last. */
interface Seen {
  readonly ledger: Ledger;
  readonly version: number;
  readonly settings: string;
  readonly streams: ReadonlyMap<string, StreamMarks & { readonly ownRows: number }>;
  readonly rest: string;
}

export const openElsewhere = ({
  opened,
  folders,
  announce,
  onBug,
}: ElsewhereOptions): Elsewhere => {
  let followers = 0;
  let timer: NodeJS.Timeout | undefined;
  let list = '';
  let seen = new WeakMap<OpenKnowledgebase, Seen>();

  const changed = (
    knowledgebase: string | null,
    stream: string | null,
    { batches, rows, rejects } = { batches: 0, rows: 0, rejects: false },
  ): void => {
    const at = new Date().toISOString();
    announce({ kind: 'elsewhere', knowledgebase, stream, at, batches, rows, rejects });
  };

  const lookAtList = (isFirst: boolean): void => {
    const now = folders()
      .map((path) => `${path} ${existsSync(knowledgebasePaths(path).settings)}`)
      .join('\n');
    if (now !== list && !isFirst) changed(null, null);
    list = now;
  };

  const lookAt = (knowledgebase: OpenKnowledgebase): void => {
    const ledger = knowledgebase.ledger();
    const before = seen.get(knowledgebase);
    const settings = stampOf(knowledgebase.paths.settings);
    const version = ledger.marks.version();
    if (before?.ledger === ledger && before.version === version && before.settings === settings) {
      return;
    }
    const now = seenNow(knowledgebase, ledger, { version, settings });
    seen.set(knowledgebase, now);
    if (before) compare(knowledgebase.id, before, now);
  };

  const compare = (id: string, before: Seen, now: Seen): void => {
    const streams = [...now.streams.values()].flatMap((marks) => {
      const change = changeOf(before.streams.get(marks.stream), marks);
      return change ? [{ stream: marks.stream, change }] : [];
    });
    // Of a ledger that was made anew nothing can be told by its numbers.
    const isNew = before.ledger !== now.ledger;
    for (const { stream, change } of isNew ? [] : streams) changed(id, stream, change);
    const isOther = streams.length === 0 || before.rest !== now.rest;
    if (isNew || isOther || before.settings !== now.settings) changed(id, null);
  };

  const look = (isFirst: boolean): void => {
    try {
      lookAtList(isFirst);
    } catch (error) {
      onBug(error);
    }
    for (const knowledgebase of opened()) {
      try {
        lookAt(knowledgebase);
      } catch {
        // Its folder went away, or its ledger cannot be read: whoever asks for it is told.
      }
    }
  };

  return {
    follow: () => {
      followers += 1;
      if (followers === 1) {
        // What happened while nobody heard is no news.
        seen = new WeakMap();
        look(true);
        timer = setInterval(look, LOOK_MS, false).unref();
      }
      let isFollowing = true;
      return () => {
        if (!isFollowing) return;
        isFollowing = false;
        followers -= 1;
        if (followers === 0) clearInterval(timer);
      };
    },
  };
};

const seenNow = (
  { recorder }: OpenKnowledgebase,
  ledger: Ledger,
  known: Pick<Seen, 'version' | 'settings'>,
): Seen => {
  const streams = ledger.marks
    .streams()
    .map((marks) => [marks.stream, { ...marks, ownRows: recorder.rowsOf(marks.stream) }] as const);
  return { ...known, ledger, streams: new Map(streams), rest: ledger.marks.rest() };
};

type Change = { readonly batches: number; readonly rows: number; readonly rejects: boolean };
type Marks = StreamMarks & { readonly ownRows: number };

const NONE = { received: 0, rows: 0, files: 0, sizeBytes: 0, rejects: 0, ownRows: 0 };

/** What has changed of a stream, this process's own rows left out; undefined where nothing has. */
const changeOf = (known: Marks | undefined, now: Marks): Change | undefined => {
  const before = known ?? { ...NONE, stream: now.stream };
  const isSame = (Object.keys(NONE) as (keyof typeof NONE)[]).every(
    (name) => now[name] === before[name],
  );
  if (isSame && known) return undefined;
  const rows = Math.max(0, now.rows - before.rows - (now.ownRows - before.ownRows));
  const batches = rows > 0 ? Math.max(1, now.files - before.files) : 0;
  return { batches, rows, rejects: now.rejects !== before.rejects };
};

const stampOf = (path: string): string => {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return `${stat?.mtimeNs} ${stat?.size} ${stat?.ino}`;
};
