// Owns what can be done with an item of a plan: which moves it has, by which key, and what each asks of the engine. Pure.

import type { Plan, PlanEdit, PlanItem } from '../../../core/model.ts';

export type Move = 'merge' | 'accept' | 'rename' | 'refuse';

/** A move as it stands on its button. */
export interface OfferedMove {
  readonly move: Move;
  readonly word: string;
  readonly key: string;
}

const KEYS: Readonly<Record<Move, string>> = { merge: 'M', accept: 'A', rename: 'R', refuse: 'X' };

const offer = (move: Move, word: string): OfferedMove => ({ move, word, key: KEYS[move] });

/**
 * Whether an item can be one with the type that it matches: its key has to match that type's key. One that matches
 * another attribute is the same kind of thing, and no row of that type.
 */
const canMerge = ({ group, match }: PlanItem, { before }: Pick<Plan, 'before'>): boolean => {
  const key = before.types.find(({ id }) => id === match?.type)?.key;
  return group === 'type' && key?.length === 1 && key[0] === match?.attribute;
};

/** The moves of an item, the most likely first; none where it was refused, which undoing alone takes back. */
export const movesOf = (item: PlanItem, plan: Pick<Plan, 'before'>): OfferedMove[] => {
  if (item.decision === 'refused') return [];
  const rest = [
    ...(item.group === 'type' && item.mark !== 'removed' ? [offer('rename', 'Rename')] : []),
    ...(item.group === 'type' ? [offer('refuse', 'Refuse')] : []),
  ];
  if (!item.merged && !canMerge(item, plan)) return [offer('accept', 'Accept'), ...rest];
  return [offer('merge', 'Merge'), offer('accept', 'Keep apart'), ...rest];
};

/** The move of a key, where the item has it. */
export const moveOfKey = (
  item: PlanItem,
  plan: Pick<Plan, 'before'>,
  key: string,
): Move | undefined => movesOf(item, plan).find((one) => one.key === key.toUpperCase())?.move;

/** What a move asks for: an edit first, or nothing but accepting. `rename` asks the person for a name. */
export const editOf = (item: PlanItem, move: Exclude<Move, 'rename'>): PlanEdit | null => {
  switch (move) {
    case 'refuse':
      return { kind: 'refuse', item: item.id };
    case 'merge':
      return item.match === null || item.merged
        ? null
        : { kind: 'merge', type: item.type, into: item.match.type };
    case 'accept':
      return item.merged ? { kind: 'keep-apart', type: item.type } : null;
  }
};

/** The items that a move has decided when its edit is made: the item itself, or what it became. */
export const decidedBy = (
  item: PlanItem,
  edit: PlanEdit | null,
  { items }: Plan,
): readonly PlanItem[] => {
  if (edit === null) return items.filter(({ id }) => id === item.id);
  if (edit.kind === 'merge') return items.filter(({ id }) => id === `type:${edit.into}`);
  if (edit.kind === 'keep-apart') {
    const apart = items.filter(
      ({ match, merged, mark }) => mark === 'new' && !merged && match?.type === item.type,
    );
    return apart.length === 1 ? apart : [];
  }
  return [];
};

/** What the decision is called beside the title. */
export const decisionWord = ({ decision, merged, mark, group }: PlanItem): string => {
  if (decision === 'refused') return 'Refused';
  if (decision === null) return 'Decide';
  if (group === 'evidence') return 'Seen';
  return merged && mark !== 'new' ? 'Merged' : 'Accepted';
};

/** The next item that nobody has decided, after the given one, then from the start; null where there is none. */
export const nextUndecided = ({ items }: Plan, after: string | null): string | null => {
  const from = items.findIndex(({ id }) => id === after) + 1;
  const turned = [...items.slice(from), ...items.slice(0, from)];
  return turned.find(({ decision }) => decision === null)?.id ?? null;
};

/** How many items are left to decide. */
export const undecided = ({ items }: Plan): number =>
  items.filter(({ decision }) => decision === null).length;
