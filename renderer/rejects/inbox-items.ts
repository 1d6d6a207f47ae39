// Owns what stands in the inbox, line after line: groups, the rejects of the open one, what is more. Never renders.

import type { Reject, RejectGroup } from '../../core/model.ts';

/** A line of the inbox. */
export type InboxItem =
  | { readonly kind: 'group'; readonly key: string; readonly group: RejectGroup }
  | { readonly kind: 'reject'; readonly key: string; readonly reject: Reject }
  | { readonly kind: 'found'; readonly key: string; readonly reject: Reject }
  | { readonly kind: 'more'; readonly key: string; readonly count: number }
  | { readonly kind: 'waiting'; readonly key: string };

/** Rejects that an open group shows before it is asked for more. */
const FIRST_SHOWN = 7;

/** What a group is known by. */
export const groupKey = ({
  stream,
  code,
  field,
  shape,
}: Pick<RejectGroup, 'stream' | 'code' | 'field' | 'shape'>): string =>
  JSON.stringify([stream, code, field, shape]);

/** What a reject is known by. */
export const rejectKey = ({ stream, rejectId }: Pick<Reject, 'stream' | 'rejectId'>): string =>
  `${stream}/${rejectId}`;

/** The stream and id of a reject's key; null where it is none. */
export const namesOf = (key: string): { stream: string; rejectId: string } | null => {
  const at = key.indexOf('/');
  if (at < 1 || at === key.length - 1) return null;
  return { stream: key.slice(0, at), rejectId: key.slice(at + 1) };
};

/** Groups that were seen keep their place; those that went are left out, others follow in their own order. */
export const heldGroups = (
  before: readonly string[],
  groups: readonly RejectGroup[],
): readonly RejectGroup[] => {
  const byKey = new Map(groups.map((group) => [groupKey(group), group]));
  const kept = before.flatMap((key) => byKey.get(key) ?? []);
  const known = new Set(before);
  return [...kept, ...groups.filter((group) => !known.has(groupKey(group)))];
};

/** The open group and what is known of its rejects. */
export interface OpenGroup {
  readonly key: string;
  /** Undefined until the first page is there. */
  readonly rejects: readonly Reject[] | undefined;
  /** How many it has in all. */
  readonly count: number;
  /** Whether all are shown. */
  readonly isWhole: boolean;
}

/** The lines of the inbox over groups. */
export const itemsOf = (
  groups: readonly RejectGroup[],
  open: OpenGroup | null,
): readonly InboxItem[] =>
  groups.flatMap((group): InboxItem[] => {
    const key = groupKey(group);
    const head: InboxItem = { kind: 'group', key, group };
    if (open?.key !== key) return [head];
    if (open.rejects === undefined) return [head, { kind: 'waiting', key: `${key} waits` }];
    const shown = open.isWhole ? open.rejects : open.rejects.slice(0, FIRST_SHOWN);
    const rows = shown.map(
      (reject): InboxItem => ({ kind: 'reject', key: rejectKey(reject), reject }),
    );
    const more = Math.max(open.count, open.rejects.length) - shown.length;
    const rest: InboxItem[] = open.isWhole
      ? more > 0
        ? [{ kind: 'waiting', key: `${key} waits` }]
        : []
      : more > 0
        ? [{ kind: 'more', key: `${key} more`, count: more }]
        : [];
    return [head, ...rows, ...rest];
  });

/** The keys of rejects between two of them, both with, in the order they are shown in. */
export const between = (items: readonly InboxItem[], one: string, other: string): string[] => {
  const keys = items
    .filter(({ kind }) => kind === 'reject' || kind === 'found')
    .map(({ key }) => key);
  const [from, to] = [keys.indexOf(one), keys.indexOf(other)];
  if (to < 0) return [];
  if (from < 0) return [other];
  return keys.slice(Math.min(from, to), Math.max(from, to) + 1);
};

/** The reject to go to when some have left: the next one after them that stays, else the one before. */
export const afterGone = (
  items: readonly InboxItem[],
  chosen: string,
  gone: ReadonlySet<string>,
): string | null => {
  const keys = items
    .filter(({ kind }) => kind === 'reject' || kind === 'found')
    .map(({ key }) => key);
  const at = keys.indexOf(chosen);
  if (at < 0) return null;
  const after = keys.slice(at).find((key) => !gone.has(key));
  return after ?? keys.slice(0, at).findLast((key) => !gone.has(key)) ?? null;
};
