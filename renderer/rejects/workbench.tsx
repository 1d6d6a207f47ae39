// Owns the place where rejects are worked on: the inbox at the left, one reject in the middle, its fix at the right.
// The same over all streams and over one. Never owns a screen.

import { Button } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { RejectDetail, RejectGroup, RejectState } from '../../core/model.ts';
import { api, faultOf } from '../api.ts';
import { useShortcuts } from '../app/keys.ts';
import { useEngine } from '../app/live.ts';
import { count } from '../ui/format.ts';
import { Empty, Loading, Strip } from '../ui/parts.tsx';
import { Inbox } from './inbox.tsx';
import { InboxEmpty } from './inbox-empty.tsx';
import { afterGone, groupKey, itemsOf, namesOf, rejectKey } from './inbox-items.ts';
import { type InboxState, untilNow } from './inbox-state.ts';
import { InboxTools } from './inbox-tools.tsx';
import './reject.css';
import './rejects.css';
import { OneReject } from './one-reject.tsx';
import { RetentionFoot } from './retention-foot.tsx';
import type { Reach } from './use-choice.ts';
import { useGroupRejects, useGroups } from './use-inbox.ts';
import { useSearch } from './use-search.ts';

export interface WorkbenchProps {
  readonly knowledgebase: string;
  /** Narrowed to this stream; null over all. */
  readonly stream: string | null;
  readonly tab: RejectState;
  /** The key of the reject that the address names. */
  readonly at: string | null;
  readonly state: InboxState;
  readonly change: (next: Partial<InboxState>) => void;
  readonly onAt: (key: string | null) => void;
}

const NONE: readonly RejectGroup[] = [];
const ESC = 'Escape';

/** The three columns. */
export const Workbench = (props: WorkbenchProps) => {
  const { knowledgebase, stream, tab, at, state, change, onAt } = props;
  const isReady = useEngine().state === 'ready';
  const { groups, totals, error, refetch, added } = useGroups(knowledgebase, state, tab);
  const isSearch = state.text !== '';
  const search = useSearch(knowledgebase, state, tab);
  const [isFixOpen, setFixOpen] = useState(false);

  // Where the person has not said which group is open, or it has gone, it is the first.
  const first = groups?.[0];
  const open =
    state.open === null
      ? undefined
      : (groups?.find((group) => groupKey(group) === state.open) ?? first);
  const openKey = open ? groupKey(open) : null;
  const { rejects, error: listError, fetchMore } = useGroupRejects(knowledgebase, open, state, tab);
  const items = useMemo(() => {
    if (isSearch) {
      return (search.found ?? []).map(
        (reject) => ({ kind: 'found', key: rejectKey(reject), reject }) as const,
      );
    }
    const opened = open
      ? { key: groupKey(open), rejects, count: open[tab], isWhole: state.isWhole }
      : null;
    return itemsOf(groups ?? NONE, opened);
  }, [isSearch, search.found, groups, open, rejects, tab, state.isWhole]);
  const firstReject = items.find(({ kind }) => kind === 'reject' || kind === 'found')?.key ?? null;
  const chosen = at ?? firstReject;
  const names = chosen === null ? null : namesOf(chosen);
  const { data: detail, error: detailError } = useQuery(
    api.rejects.get.queryOptions({
      input: { knowledgebase, stream: names?.stream ?? '-', rejectId: names?.rejectId ?? '-' },
      enabled: names !== null,
    }),
  );
  const shown = detail && chosen === rejectKey(detail) ? detail : undefined;
  useLeadTo(shown, groups, state, tab, change);
  // Who comes back sees what came meanwhile.
  useEffect(() => change({ until: untilNow() }), [change]);
  // Nothing stands there that could be pushed down.
  const isEmpty = groups?.length === 0 && !isSearch;
  useEffect(() => {
    if (isEmpty && added > 0) change({ until: untilNow() });
  }, [isEmpty, added, change]);
  useShortcuts({
    [ESC]: () => {
      if (isFixOpen) setFixOpen(false);
      else if (state.selected.size > 0) change({ selected: new Set() });
      else document.getElementById('rejects-inbox')?.focus();
    },
  });

  const gone = (reach: Reach): void => {
    if (chosen === null) return;
    const left = new Set(
      reach === 'many'
        ? state.selected.size > 1
          ? state.selected
          : items.map(({ key }) => key)
        : [chosen],
    );
    onAt(afterGone(items, chosen, left));
    change({ selected: new Set() });
  };
  const showAll = (): void =>
    change({ stream, sender: null, span: 'any', text: '', until: untilNow() });
  const shownOnly = (key: string | null): void => change({ open: key, isWhole: false });
  return (
    <div className="rejects-bench" data-fix={isFixOpen || undefined}>
      <section className="inbox" aria-label="Inbox">
        <InboxTools
          state={state}
          change={change}
          groups={groups ?? NONE}
          isOff={!isReady && !groups}
        />
        {added > 0 && !isSearch ? (
          <Button
            className="inbox-added"
            variant="subtle"
            color="gray"
            radius={0}
            disabled={!isReady}
            leftSection={<IconArrowUp size={14} stroke={1.6} />}
            onClick={() => change({ until: untilNow() })}
          >
            {count(added)} new
          </Button>
        ) : null}
        {isSearch ? <SearchWords search={search} /> : null}
        {listError && isReady ? <Strip tone="bad" what={faultOf(listError).message} /> : null}
        {groups === undefined && !isSearch ? (
          error && isReady ? (
            <Strip
              tone="bad"
              what={faultOf(error).message}
              actions={
                <Button variant="default" onClick={() => void refetch()}>
                  Try again
                </Button>
              }
            >
              {faultOf(error).hint}
            </Strip>
          ) : (
            <Loading>Reading rejects</Loading>
          )
        ) : items.length === 0 && (!isSearch || search.isDone) ? (
          <div className="inbox-empty small ink-2">
            {isSearch ? <p>No body, id or message has this.</p> : <p>Nothing here.</p>}
            {isSearch ? (
              <button type="button" className="link" onClick={showAll}>
                Show all
              </button>
            ) : null}
          </div>
        ) : (
          <Inbox
            knowledgebase={knowledgebase}
            items={items}
            tab={tab}
            open={openKey}
            chosen={chosen}
            selected={state.selected}
            onChoose={onAt}
            onSelect={(selected) => change({ selected })}
            onOpen={(key) => {
              shownOnly(key);
              if (key !== null) onAt(null);
            }}
            onMore={() => change({ isWhole: true })}
            onInto={() => document.getElementById('reject-body')?.focus()}
            onEnd={isSearch ? search.fetchMore : state.isWhole ? fetchMore : nothing}
          />
        )}
        <RetentionFoot knowledgebase={knowledgebase} isReady={isReady} />
      </section>
      {shown ? (
        <OneReject
          key={chosen}
          {...{ knowledgebase, tab, state }}
          detail={shown}
          group={groups?.find((group) => isOf(shown, group))}
          isFixOpen={isFixOpen}
          onFixOpen={setFixOpen}
          onGone={gone}
        />
      ) : detailError && isReady && names !== null ? (
        <section className="reject" aria-label="Reject">
          <Empty what={faultOf(detailError).message} why={faultOf(detailError).hint}>
            <Button variant="default" onClick={() => onAt(null)}>
              Back to the inbox
            </Button>
          </Empty>
        </section>
      ) : isEmpty && at === null ? (
        <section className="reject" aria-label="Reject">
          <InboxEmpty
            knowledgebase={knowledgebase}
            stream={stream}
            tab={tab}
            state={state}
            totals={totals}
            onAll={showAll}
          />
        </section>
      ) : names !== null || groups === undefined ? (
        <section className="reject" aria-label="Reject">
          <Loading>Reading the reject</Loading>
        </section>
      ) : (
        <section className="reject" aria-label="Reject">
          <Empty
            what="No reject is chosen"
            why="Open a cause at the left, and choose one of its rejects."
          />
        </section>
      )}
    </div>
  );
};

const nothing = (): void => {};

const isOf = (detail: RejectDetail, group: RejectGroup): boolean =>
  groupKey(detail) === groupKey(group);

/** A reject that the address names has its group opened, once. */
const useLeadTo = (
  detail: RejectDetail | undefined,
  groups: readonly RejectGroup[] | undefined,
  state: InboxState,
  tab: RejectState,
  change: (next: Partial<InboxState>) => void,
): void => {
  const led = useRef<string | null>(null);
  useEffect(() => {
    if (!detail || !groups || detail.state !== tab) return;
    const key = rejectKey(detail);
    if (led.current === key) return;
    led.current = key;
    // One that came after what is shown is let in with all that did.
    if (detail.receivedAt >= state.until) change({ until: untilNow() });
    const group = groups.find((one) => isOf(detail, one));
    if (group && state.open !== groupKey(group)) change({ open: groupKey(group), isWhole: false });
  }, [detail, groups, tab, state.open, state.until, change]);
};

const SearchWords = ({ search }: { search: ReturnType<typeof useSearch> }) => (
  <div className="inbox-found-words" role="status">
    {search.error
      ? faultOf(search.error).message
      : `${count(search.found?.length ?? 0)} found in ${count(search.searched)} bodies${search.isDone ? '' : ', searching on'}`}
  </div>
);
