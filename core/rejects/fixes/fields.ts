// Owns fixes of one record's fields, on the bytes of its line. Pure.
// Never changes a byte but those of the field that is named; a line that is no object stays as it is (null).

import { fold } from '../../ids.ts';
import { type Member, membersOf } from './members.ts';

/** The line without a field, wherever it stands; null where it has none. */
export const dropField = (line: Uint8Array, field: string): Uint8Array | null =>
  dropWhere(line, (members) => members.findIndex(({ name }) => name === field));

/** The line with only the first or the last of fields that are one column; null where none stands twice. */
export const keepDuplicate = (line: Uint8Array, keep: 'first' | 'last'): Uint8Array | null =>
  dropWhere(line, (members) => {
    const names = members.map(({ name }) => fold(name));
    return names.findIndex((name, at) =>
      keep === 'first' ? names.indexOf(name) < at : names.lastIndexOf(name) > at,
    );
  });

/** The line with another name for a field; null where it has none. */
export const renameField = (line: Uint8Array, field: string, to: string): Uint8Array | null => {
  const members = membersOf(line)?.filter(({ name }) => name === field) ?? [];
  if (members.length === 0) return null;
  const name = Buffer.from(JSON.stringify(to));
  let result = line;
  // From the last to the first, so that offsets before it still hold.
  for (const { start, nameEnd } of members.reverse()) {
    result = without(result, start, nameEnd, name);
  }
  return result;
};

/** Takes away the member that `find` points at, again and again until it points at none (-1). */
const dropWhere = (
  line: Uint8Array,
  find: (members: readonly Member[]) => number,
): Uint8Array | null => {
  let result: Uint8Array | null = null;
  for (;;) {
    const members = membersOf(result ?? line);
    if (members === null) return result;
    const at = find(members);
    if (at < 0) return result;
    result = dropMember(result ?? line, members, at);
  }
};

/** A member goes with the comma and the white space after it, or those before it where it is the last. */
const dropMember = (line: Uint8Array, members: readonly Member[], at: number): Uint8Array => {
  const member = members[at] as Member;
  const next = members[at + 1];
  if (next) return without(line, member.start, next.start);
  const before = members[at - 1];
  return without(line, before ? before.end : member.start, member.end);
};

const without = (
  line: Uint8Array,
  from: number,
  to: number,
  instead: Uint8Array = new Uint8Array(0),
): Uint8Array => {
  const result = new Uint8Array(line.length - (to - from) + instead.length);
  result.set(line.subarray(0, from));
  result.set(instead, from);
  result.set(line.subarray(to), from + instead.length);
  return result;
};
