// Owns fixes of one record's fields, on the bytes of its line. Pure, and linear in the line.
// Never changes a byte but those of the field that is named; a line that is no object stays as it is (null).

import { fold } from '../../ids.ts';
import { type Member, membersOf } from './members.ts';

/** The line without a field, wherever it stands; null where it has none. */
export const dropField = (line: Uint8Array, field: string): Uint8Array | null => {
  const members = membersOf(line);
  return members && keepOnly(line, members, ({ name }) => name !== field);
};

/** The line with only the first or the last of fields that are one column; null where none stands twice. */
export const keepDuplicate = (line: Uint8Array, keep: 'first' | 'last'): Uint8Array | null => {
  const members = membersOf(line);
  if (members === null) return null;
  const kept = new Map<string, Member>();
  for (const member of members) {
    const key = fold(member.name);
    if (keep === 'last' || !kept.has(key)) kept.set(key, member);
  }
  return keepOnly(line, members, (member) => kept.get(fold(member.name)) === member);
};

/** The line with another name for a field; null where it has none. */
export const renameField = (line: Uint8Array, field: string, to: string): Uint8Array | null => {
  const members = membersOf(line)?.filter(({ name }) => name === field) ?? [];
  if (members.length === 0) return null;
  const name = Buffer.from(JSON.stringify(to));
  const parts: Uint8Array[] = [];
  let copied = 0;
  for (const { start, nameEnd } of members) {
    parts.push(line.subarray(copied, start), name);
    copied = nameEnd;
  }
  return joined([...parts, line.subarray(copied)]);
};

/**
 * The line with those of its members that are wanted; null where that is all of them. A member goes with the comma
 * and the white space after it, or with those before it where no other follows.
 */
const keepOnly = (
  line: Uint8Array,
  members: readonly Member[],
  isWanted: (member: Member) => boolean,
): Uint8Array | null => {
  const kept = members.flatMap((member, at) => (isWanted(member) ? [at] : []));
  const [first, last] = [members[0], members.at(-1)];
  if (!first || !last || kept.length === members.length) return null;
  const parts = [line.subarray(0, first.start)];
  for (const [index, at] of kept.entries()) {
    const { start, end } = members[at] as Member;
    const isLast = index === kept.length - 1;
    parts.push(line.subarray(start, isLast ? end : (members[at + 1] as Member).start));
  }
  return joined([...parts, line.subarray(last.end)]);
};

const joined = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
