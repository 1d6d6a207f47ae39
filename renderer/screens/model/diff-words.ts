// Owns how a difference between two versions reads, and gathering differences by type. Pure.

import type { ModelChange, VersionSummary } from '../../../core/model.ts';
import { count } from '../../ui/format.ts';

/** The changes of one type. */
export interface TypeChanges {
  readonly type: string;
  readonly name: string;
  /** New or removed where the type is, else changed. */
  readonly mark: ModelChange['mark'];
  readonly lines: readonly DiffLine[];
}

export interface DiffLine {
  readonly mark: ModelChange['mark'];
  readonly words: string;
  readonly before: string | null;
  readonly after: string | null;
}

const WHAT: Readonly<Record<ModelChange['what'], string>> = {
  type: 'type',
  name: 'name',
  attribute: 'attribute',
  'column type': 'type of',
  key: 'key',
  link: 'link',
  source: 'source of',
};

/** Changes by type, in the order in which the types come. */
export const changesByType = (changes: readonly ModelChange[]): TypeChanges[] => {
  const found = new Map<string, ModelChange[]>();
  for (const change of changes) {
    found.set(change.type, [...(found.get(change.type) ?? []), change]);
  }
  return [...found].map(([type, all]) => {
    const whole = all.find(({ what }) => what === 'type');
    return {
      type,
      name: (all.at(-1) as ModelChange).typeName,
      mark: whole?.mark ?? 'changed',
      lines: all.map(lineOf),
    };
  });
};

/** A change as a line. */
export const lineOf = ({ mark, what, name, before, after }: ModelChange): DiffLine => {
  if (what === 'type') {
    const key = after ?? before;
    const words = key === null || key === '' ? 'type without a key' : `type by ${key}`;
    return { mark, words, before: null, after: null };
  }
  // A link's name says all of it.
  if (what === 'link') return { mark, words: `link ${name ?? ''}`, before: null, after: null };
  // What a type is, told beside its name; an attribute of that name has it after as well.
  if (what === 'name' && name === 'kind' && after !== 'kind') {
    return { mark, words: 'kind', before, after };
  }
  return {
    mark,
    words: name === null ? WHAT[what] : `${WHAT[what]} ${name}`,
    before,
    after,
  };
};

/** `+6 types`, `+1 ~2 −1 types`, `nothing`. */
export const changeCounts = ({ changes }: Pick<VersionSummary, 'changes'>): string => {
  const parts = [
    ...(changes.added > 0 ? [`+${count(changes.added)}`] : []),
    ...(changes.changed > 0 ? [`~${count(changes.changed)}`] : []),
    ...(changes.removed > 0 ? [`−${count(changes.removed)}`] : []),
  ];
  return parts.length === 0 ? 'no type changed' : parts.join(' ');
};

/** What a version came from: `pay`, or `v2 restored`. */
export const originOf = ({ stream, restored, kind }: VersionSummary): string =>
  kind === 'restore' ? `v${restored ?? 0} restored` : (stream ?? 'promotion');

/** What restoring a version does, for the question. */
export const restoreWords = (version: number, current: number): string =>
  `v${version} becomes the newest, as v${current + 1}, and the views are made as it says. v${current} and all others stay in the list, and no row is touched. Open plans are out of date then.`;
