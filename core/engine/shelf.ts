// Owns which knowledgebases of the list are open in this process: opening each at its first use, closing one that is
// taken off the list when nothing uses it any more. Never decides what is in the list; knowledgebase/registry.ts does.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { checkKnowledgebaseId, fold } from '../ids.ts';
import { createKnowledgebase, listStreamFolders } from '../knowledgebase/create.ts';
import { folderGone } from '../knowledgebase/folder.ts';
import { knowledgebasePaths, SETTINGS_FILE } from '../knowledgebase/paths.ts';
import { type Listed, noSuchKnowledgebase, type Registry } from '../knowledgebase/registry.ts';
import type { KnowledgebaseSummary } from '../model.ts';
import type { OpenKnowledgebase } from './open.ts';

export interface Shelf {
  list(): KnowledgebaseSummary[];
  /** The folders of the list. */
  folders(): string[];
  /** Opens a knowledgebase at its first use. Throws `no_such_knowledgebase`, `folder_gone`, and what opening throws. */
  get(id: string): OpenKnowledgebase;
  /** Where a knowledgebase of the list is; it need not be one that can be opened. Throws `no_such_knowledgebase`. */
  folderOf(id: string): string;
  /** Makes one in the home and opens it. Throws as createKnowledgebase. */
  create(id: string): OpenKnowledgebase;
  /**
   * Puts a folder into the list and opens it. Throws as Registry.add, and what opening throws: then it is in the list
   * all the same, so that it can be repaired.
   */
  add(path: string): Promise<OpenKnowledgebase>;
  /** Takes one off the list and closes it when what uses it has ended. Throws `no_such_knowledgebase`. */
  remove(id: string): Promise<KnowledgebaseSummary>;
  opened(): OpenKnowledgebase[];
  /** The open one in a folder, also while it is being closed. */
  at(root: string): OpenKnowledgebase | undefined;
  /** Keeps an open one from being closed until it is let go. */
  hold(knowledgebase: OpenKnowledgebase): Hold;
  close(): Promise<void>;
}

/** An open knowledgebase that something needs. */
export interface Hold {
  release(): void;
  /**
   * Calls `hear` once the knowledgebase has been about to close for a moment: whoever waits for somebody else then, as
   * a POST for its body, gives up. What is on its way to the disk goes on.
   */
  onClosing(hear: () => void): void;
}

export interface ShelfOptions {
  readonly home: string;
  readonly registry: Registry;
  readonly open: (listed: Listed) => OpenKnowledgebase;
  /** Ends long work on a knowledgebase. */
  readonly stopJobs: (id: string) => Promise<void>;
  readonly onBug: (error: unknown) => void;
}

/** Who needs an open knowledgebase: how many, and those who wait for somebody else. */
interface Holders {
  count: number;
  readonly waiting: Set<() => void>;
  onFree?: () => void;
}

/** How long a knowledgebase that is to be closed waits for the queries that read it. */
const QUERY_PATIENCE_MS = 10_000;
/** How long what waits for somebody else may go on once it is to be closed: most bodies are there by then. */
const GRACE_MS = 2_000;
/** How soon one that another process took off the list is closed here. */
const LOOK_MS = 1_000;

/** Nothing open yet. */
export const openShelf = (options: ShelfOptions): Shelf => {
  const { home, registry } = options;
  const open = new Map<string, OpenKnowledgebase>();
  const leaving = new Map<string, { knowledgebase: OpenKnowledgebase; done: Promise<void> }>();
  const holds = new Map<OpenKnowledgebase, Holders>();

  const openListed = (listed: Listed): OpenKnowledgebase => {
    // Two of one folder in one process would not see each other's locks.
    if (leaving.has(listed.path)) {
      throw new AppError('knowledgebase_closing', `${listed.id} is being closed.`);
    }
    if (!isThere(listed)) throw folderGone(listed.path);
    const opened = options.open(listed);
    open.set(fold(listed.id), opened);
    return opened;
  };

  const get = (id: string): OpenKnowledgebase => {
    const known = open.get(fold(id));
    if (known && registry.has(known.paths.root)) return known;
    if (known) void leave(known);
    const listed = registry.find(id);
    if (!listed) throw noSuchKnowledgebase(id);
    return openListed(listed);
  };

  /** Nothing new finds it from now on; what has begun ends first. */
  const leave = (knowledgebase: OpenKnowledgebase): Promise<void> => {
    const { root } = knowledgebase.paths;
    const known = leaving.get(root);
    if (known) return known.done;
    for (const [key, one] of open) if (one === knowledgebase) open.delete(key);
    const done = closeWhenFree(knowledgebase)
      // Its folder may be gone with its ledger.
      .catch(options.onBug)
      .finally(() => leaving.delete(root));
    leaving.set(root, { knowledgebase, done });
    return done;
  };

  const closeWhenFree = async (knowledgebase: OpenKnowledgebase): Promise<void> => {
    const grace = setTimeout(() => {
      for (const hear of holds.get(knowledgebase)?.waiting ?? []) hear();
    }, GRACE_MS);
    await options.stopJobs(knowledgebase.id);
    const held = holds.get(knowledgebase);
    if (held && held.count > 0) {
      await new Promise<void>((resolve) => {
        held.onFree = resolve;
      });
    }
    clearTimeout(grace);
    await knowledgebase.query.gate.write(async () => {}, QUERY_PATIENCE_MS);
    await knowledgebase.close();
  };

  const checkFree = (id: string): void => {
    const folder = join(home, id);
    const listed = registry.find(id);
    if (listed && !listed.inHome) {
      throw new AppError(
        'knowledgebase_exists',
        `There is a knowledgebase "${listed.id}" already: ${listed.path}.`,
      );
    }
    if (!listed && isThere({ path: folder })) {
      throw new AppError(
        'knowledgebase_exists',
        `${folder} is a knowledgebase already; it was taken off the list.`,
        { hint: `Choose another id, or put it back with: strata kb open ${folder}` },
      );
    }
  };

  const summaryOf = (listed: Listed): KnowledgebaseSummary => {
    try {
      return { ...listed, streams: get(listed.id).streams.list().length, fault: null };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { ...listed, streams: 0, fault: error.message };
    }
  };

  /** What is gone is closed too: a folder that comes back is another one, and has to be recovered. */
  const closeUnlisted = (): void => {
    try {
      for (const one of [...open.values()]) {
        const { root } = one.paths;
        if (!registry.has(root) || !isThere({ path: root })) void leave(one);
      }
    } catch (error) {
      options.onBug(error);
    }
  };
  const look = setInterval(closeUnlisted, LOOK_MS).unref();

  return {
    list: () =>
      registry
        .list()
        .map((listed) =>
          isThere(listed)
            ? summaryOf(listed)
            : { ...listed, streams: 0, fault: folderGone(listed.path).message },
        ),
    folders: () => registry.list().map(({ path }) => path),
    get,
    folderOf: (id) => {
      const listed = registry.find(id);
      if (!listed) throw noSuchKnowledgebase(id);
      return listed.path;
    },
    create: (id) => {
      checkKnowledgebaseId(id);
      checkFree(id);
      createKnowledgebase(home, id);
      // One of this name may have been taken off the list before its folder went.
      registry.add(join(home, id));
      return get(id);
    },
    add: async (path) => {
      const listed = registry.add(path);
      const known = open.get(fold(listed.id));
      // It was open where it is not any more.
      if (known && known.paths.root !== listed.path) await leave(known);
      await leaving.get(listed.path)?.done;
      return get(listed.id);
    },
    remove: async (id) => {
      const listed = registry.remove(id);
      const known = open.get(fold(listed.id));
      const isGone = !isThere(listed);
      const streams = isGone ? 0 : listStreamFolders(knowledgebasePaths(listed.path)).length;
      const fault = isGone ? folderGone(listed.path).message : null;
      if (known) await leave(known);
      return { ...listed, streams, fault };
    },
    opened: () => [...open.values()],
    at: (root) =>
      [...open.values()].find(({ paths }) => paths.root === root) ??
      leaving.get(root)?.knowledgebase,
    hold: (knowledgebase) => {
      const held = holds.get(knowledgebase) ?? { count: 0, waiting: new Set() };
      holds.set(knowledgebase, held);
      held.count += 1;
      let mine: (() => void) | undefined;
      return {
        onClosing: (hear) => {
          mine = hear;
          held.waiting.add(hear);
        },
        release: () => {
          if (mine) held.waiting.delete(mine);
          held.count -= 1;
          if (held.count > 0) return;
          holds.delete(knowledgebase);
          held.onFree?.();
        },
      };
    },
    close: async () => {
      clearInterval(look);
      await Promise.all([...leaving.values()].map(({ done }) => done));
      await Promise.all([...open.values()].map((one) => one.close()));
      open.clear();
    },
  };
};

const isThere = ({ path }: Pick<Listed, 'path'>): boolean => existsSync(join(path, SETTINGS_FILE));
