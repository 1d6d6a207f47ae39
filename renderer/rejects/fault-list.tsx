// Owns a short list of faults that are left. Never goes to one.

import type { Fault } from '../../core/model.ts';
import { count } from '../ui/format.ts';
import { messageOf } from './fault-places.ts';
import { Sentence } from './segment-view.tsx';

const SHOWN = 6;

/** The first of the faults. */
export const FaultList = ({ faults, count: all }: { faults: readonly Fault[]; count: number }) => (
  <ul className="fault-list" aria-label="Faults that are left">
    {faults.slice(0, SHOWN).map((fault, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a fault has no name but its place.
      <li key={at}>
        <strong>
          {fault.line === null ? 'Whole body' : `Line ${count(fault.line)}`}
          {fault.column === null ? '' : `, column ${count(fault.column)}`}
        </strong>{' '}
        <Sentence text={messageOf(fault)} />
      </li>
    ))}
    {all > SHOWN ? <li className="ink-2">{count(all - SHOWN)} more</li> : null}
  </ul>
);
