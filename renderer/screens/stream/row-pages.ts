// Owns the pages of one view on a stream's rows: fetched as they come into view, kept, cancelled when passed by.
// Never gives one row's values for another's place.

import type { GridRow, RowsPage } from '../../../core/model.ts';

const PAGE = 100;
const MOST_PAGES = 300;
const REST_MS = 50;

export type Bed = 'a' | 'b';

/** What is there; a new one whenever something arrived. */
export interface SeenRows {
  row(index: number): GridRow | undefined;
  readonly columns: readonly string[];
  /** Rows in all; null until the first page is there. */
  readonly total: number | null;
  readonly fault: unknown;
  /** The layer of a batch: neighbours differ. */
  bed(batchId: string): Bed | null;
}

export interface RowPages {
  /** Hears that rows arrived or a fault stands; in the shape of useSyncExternalStore. */
  watch(hear: () => void): () => void;
  seen(): SeenRows;
  /** Asks for the rows in view, `to` not included; requests of pages out of view are cancelled. */
  want(from: number, to: number): void;
  /** Asks again for what failed. */
  retry(): void;
  stop(): void;
}

type Fetch = (offset: number, limit: number, signal: AbortSignal) => Promise<RowsPage>;

/** Pages through `fetch`. */
export const rowPages = (fetch: Fetch): RowPages => {
  const pages = new Map<number, readonly GridRow[]>();
  const flying = new Map<number, AbortController>();
  const beds = new Map<string, Bed>();
  const hearers = new Set<() => void>();
  let wanted = { from: 0, to: PAGE };
  let resting: ReturnType<typeof setTimeout> | undefined;
  let lastWant = 0;
  let columns: readonly string[] = [];
  let total: number | null = null;
  let fault: unknown = null;

  const look = (): SeenRows => ({
    row: (index) => pages.get(Math.floor(index / PAGE))?.[index % PAGE],
    columns,
    total,
    fault,
    bed: (batchId) => beds.get(batchId) ?? null,
  });
  let seen = look();

  const tell = (): void => {
    seen = look();
    for (const hear of hearers) hear();
  };

  const load = async (page: number): Promise<void> => {
    const abort = new AbortController();
    flying.set(page, abort);
    try {
      const got = await fetch(page * PAGE, PAGE, abort.signal);
      if (abort.signal.aborted) return;
      pages.delete(page);
      pages.set(page, got.rows);
      forgetFarOnes();
      layBeds(page, got.rows);
      if (got.columns.length > columns.length) columns = got.columns;
      total = got.total;
      fault = null;
    } catch (error) {
      if (abort.signal.aborted) return;
      fault = error;
    } finally {
      if (flying.get(page) === abort) flying.delete(page);
    }
    tell();
  };

  const forgetFarOnes = (): void => {
    for (const page of pages.keys()) {
      if (pages.size <= MOST_PAGES) return;
      if (page < firstPage() || page > lastPage()) pages.delete(page);
    }
  };

  const layBeds = (page: number, rows: readonly GridRow[]): void => {
    const before = pages.get(page - 1)?.at(-1)?.batchId;
    const after = pages.get(page + 1)?.[0]?.batchId;
    let last = before === undefined ? undefined : beds.get(before);
    const first = rows[0]?.batchId;
    if (last === undefined && after !== undefined && first !== undefined && !beds.has(first)) {
      // Counted back from the page below, so that the layers meet there.
      const changes = new Set(rows.map(({ batchId }) => batchId)).add(after).size - 1;
      const end = beds.get(after) ?? 'a';
      last = changes % 2 === 0 ? other(end) : end;
    }
    for (const { batchId } of rows) {
      const known = beds.get(batchId);
      if (known === undefined) beds.set(batchId, other(last ?? 'b'));
      last = beds.get(batchId);
    }
  };

  const firstPage = (): number => Math.floor(wanted.from / PAGE);
  const lastPage = (): number => Math.floor(Math.max(wanted.from, wanted.to - 1) / PAGE);

  const fetchWanted = (): void => {
    for (let page = firstPage(); page <= lastPage(); page += 1) {
      if (!pages.has(page) && !flying.has(page)) void load(page);
    }
  };

  return {
    watch: (hear) => {
      hearers.add(hear);
      return () => hearers.delete(hear);
    },
    seen: () => seen,
    want: (from, to) => {
      wanted = { from, to };
      for (const [page, abort] of flying) {
        if (page >= firstPage() && page <= lastPage()) continue;
        abort.abort();
        flying.delete(page);
      }
      // While the thumb is dragged nothing is asked for until it rests.
      clearTimeout(resting);
      const now = performance.now();
      if (now - lastWant > REST_MS) fetchWanted();
      else resting = setTimeout(fetchWanted, REST_MS);
      lastWant = now;
    },
    retry: () => {
      fault = null;
      tell();
      fetchWanted();
    },
    stop: () => {
      clearTimeout(resting);
      for (const abort of flying.values()) abort.abort();
      flying.clear();
    },
  };
};

const other = (bed: Bed): Bed => (bed === 'a' ? 'b' : 'a');
