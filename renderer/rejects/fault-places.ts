// Owns the faults of one reject as places to go to: which are marked, which is next. Never shows one.

import type { Fault, RejectDetail } from '../../core/model.ts';

/** The faults that are marked: of the body as it is now while it is open, as it was answered after that. */
export const faultsOf = ({ state, now, faults }: RejectDetail): readonly Fault[] =>
  state === 'open' && now !== null ? now.faults : faults;

/** Faults that have a line, by line. */
export const placedFaults = (faults: readonly Fault[]): readonly (Fault & { line: number })[] =>
  faults
    .filter((fault): fault is Fault & { line: number } => fault.line !== null)
    .sort((one, other) => one.line - other.line || (one.column ?? 0) - (other.column ?? 0));

/** A fault's message without the place that stands before it, where the place is shown beside it. */
export const messageOf = ({ message, line, column }: Fault): string => {
  const place = line === null ? '' : `Line ${line}${column === null ? '' : `, column ${column}`}: `;
  if (place === '' || !message.startsWith(place)) return message;
  const rest = message.slice(place.length);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
};

/** The fault after this one, or before it; round at the ends. Null where there is none. */
export const stepFault = (count: number, at: number | null, step: 1 | -1): number | null => {
  if (count === 0) return null;
  if (at === null) return step === 1 ? 0 : count - 1;
  return (at + step + count) % count;
};
