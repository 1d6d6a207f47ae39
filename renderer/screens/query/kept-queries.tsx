// Owns the lists of saved queries and of those that were run. Never runs one: a click opens it.

import { notifications } from '@mantine/notifications';
import { IconBookmark, IconHistory, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { SavedQuery } from '../../../core/model.ts';
import { api, client, faultOf, queryClient } from '../../api.ts';
import { useNow } from '../../app/live.ts';
import { age, clock, duration, fullTime } from '../../ui/format.ts';
import { Toast } from '../../ui/toast.tsx';

const HISTORY = 50;

interface KeptQueriesProps {
  readonly knowledgebase: string;
  /** The name of the query that is shown; null where it has none. */
  readonly current: string | null;
  readonly filter: string;
  readonly onOpen: (query: { name: string | null; sql: string }) => void;
}

/** Saved queries by name, then the history, newest first. */
export const KeptQueries = ({ knowledgebase, current, filter, onOpen }: KeptQueriesProps) => {
  const { data: saved } = useQuery(api.query.saved.queryOptions({ input: { knowledgebase } }));
  const { data: past } = useQuery(
    api.query.history.queryOptions({ input: { knowledgebase, limit: HISTORY } }),
  );
  const now = useNow();
  const needle = filter.trim().toLowerCase();
  const has = (text: string): boolean => text.toLowerCase().includes(needle);
  const shownSaved = (saved ?? []).filter(({ name, sql }) => has(name) || has(sql));
  const shownPast = (past ?? []).filter(({ sql }) => has(sql));
  return (
    <>
      {shownSaved.length === 0 ? null : (
        <section aria-label="Saved">
          <h2 className="label tree-head">Saved</h2>
          <ul className="kept">
            {shownSaved.map((query) => (
              <li key={query.id} data-current={query.name === current || undefined}>
                <button
                  type="button"
                  className="kept-open"
                  title={query.sql}
                  onClick={() => onOpen(query)}
                >
                  <IconBookmark size={14} stroke={1.6} color="var(--s-ink-3)" />
                  <span className="grow cut">{query.name}</span>
                </button>
                <button
                  type="button"
                  className="icon-button kept-remove"
                  aria-label={`Remove ${query.name}`}
                  onClick={() => void remove(knowledgebase, query)}
                >
                  <IconX size={14} stroke={1.6} />
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {shownPast.length === 0 ? null : (
        <section aria-label="History">
          <h2 className="label tree-head">History</h2>
          <ul className="kept">
            {shownPast.map(({ id, sql, at, elapsedMs, fault }) => (
              <li key={id}>
                <button
                  type="button"
                  className="kept-open"
                  title={`${fullTime(at)} UTC, ${fault ?? (elapsedMs === null ? '' : duration(elapsedMs))}\n\n${sql}`}
                  onClick={() => onOpen({ name: null, sql })}
                >
                  <IconHistory size={14} stroke={1.6} color="var(--s-ink-3)" />
                  <span className="grow cut">{inOneLine(sql)}</span>
                  {fault === null ? null : <span className="kept-failed">failed</span>}
                  <span className="ink-3">{whenOf(at, now)}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
};

/** The SQL without the comments before it, on one line. */
const inOneLine = (sql: string): string =>
  sql
    .replace(/^(\s|--[^\n]*(\n|$))+/, '')
    .replace(/\s+/g, ' ')
    .trim() || sql.trim();

/** The clock for today, a date before. */
const whenOf = (at: string, now: number): string =>
  now - Date.parse(at) < 43_200_000 ? clock(at).slice(0, 5) : age(at, now);

const renew = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: api.query.saved.key() });

const remove = async (knowledgebase: string, { id, name, sql }: SavedQuery): Promise<void> => {
  try {
    await client.query.remove({ knowledgebase, id });
    await renew();
    const undo = async (): Promise<void> => {
      notifications.hide(toast);
      await client.query.save({ knowledgebase, name, sql });
      await renew();
    };
    const toast = notifications.show({
      closeButtonProps: { 'aria-label': 'Close' },
      message: (
        <Toast mark="discarded" action="Undo" onAction={() => void undo()}>
          “{name}” removed
        </Toast>
      ),
    });
  } catch (error) {
    notifications.show({ message: <Toast mark="error">{faultOf(error).message}</Toast> });
  }
};
