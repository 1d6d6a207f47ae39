// Owns the queries that are open as tabs, and keeping them for the next start, per knowledgebase.
// Never runs one.

import { useEffect, useState } from 'react';

/** An open query. */
export interface OpenQuery {
  readonly key: string;
  /** The name it is saved under; null while it has none. */
  readonly name: string | null;
  readonly sql: string;
  /** The text as it was saved or opened; what differs from it is marked. */
  readonly savedSql: string;
}

/** All of them; there is always one, and one is current. */
export interface OpenQueries {
  readonly list: readonly OpenQuery[];
  readonly current: string;
}

let made = 0;

const newKey = (): string => {
  made += 1;
  return `${Date.now().toString(36)}-${made}`;
};

/** What a tab is called. */
export const titleOf = ({ name }: OpenQuery): string => name ?? 'Untitled';

/** Whether closing the tab would lose text. */
export const isChanged = ({ sql, savedSql }: OpenQuery): boolean => sql !== savedSql;

/** One empty query. */
export const freshQueries = (): OpenQueries => {
  const key = newKey();
  return { list: [{ key, name: null, sql: '', savedSql: '' }], current: key };
};

/** Opens a query, or goes to the tab that has it already; an empty unnamed tab is used first. */
export const openQuery = (
  open: OpenQueries,
  { name, sql }: { name: string | null; sql: string },
): OpenQueries => {
  const same = open.list.find((one) =>
    name === null ? one.sql === sql && sql !== '' : one.name === name,
  );
  if (same) return { ...open, current: same.key };
  const tab = { name, sql, savedSql: name === null ? '' : sql };
  const empty = open.list.find((one) => one.name === null && one.sql.trim() === '');
  if (empty && sql !== '') {
    const list = open.list.map((one) => (one === empty ? { ...tab, key: empty.key } : one));
    return { list, current: empty.key };
  }
  const key = newKey();
  return { list: [...open.list, { ...tab, key }], current: key };
};

/** Closes a tab; its neighbour is next, and the last one leaves an empty one. */
export const closeQuery = (open: OpenQueries, key: string): OpenQueries => {
  const at = open.list.findIndex((one) => one.key === key);
  const list = open.list.filter((one) => one.key !== key);
  if (list.length === 0) return freshQueries();
  if (open.current !== key) return { ...open, list };
  return { list, current: (list[Math.min(at, list.length - 1)] as OpenQuery).key };
};

/** Changes one tab. */
export const changeQuery = (
  open: OpenQueries,
  key: string,
  change: Partial<Omit<OpenQuery, 'key'>>,
): OpenQueries => ({
  ...open,
  list: open.list.map((one) => (one.key === key ? { ...one, ...change } : one)),
});

/** Reads what was kept; anything that is not whole is let go. */
export const readQueries = (text: string | null): OpenQueries => {
  try {
    const kept = JSON.parse(text ?? '') as Partial<OpenQueries>;
    const list = (kept.list ?? []).filter(
      (one) =>
        typeof one.key === 'string' &&
        typeof one.sql === 'string' &&
        typeof one.savedSql === 'string' &&
        (one.name === null || typeof one.name === 'string'),
    );
    const [first] = list;
    if (!first) return freshQueries();
    const current = list.find(({ key }) => key === kept.current) ?? first;
    return { list, current: current.key };
  } catch {
    return freshQueries();
  }
};

/** The open queries of a knowledgebase, kept as they change. */
export const useOpenQueries = (knowledgebase: string) => {
  const place = `queries:${knowledgebase}`;
  const [open, setOpen] = useState(() => readQueries(localStorage.getItem(place)));
  useEffect(() => localStorage.setItem(place, JSON.stringify(open)), [place, open]);
  return [open, setOpen] as const;
};
