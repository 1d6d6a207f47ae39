// Owns what a check found, in words: whether it would land, what stays, what is registered, what the batch is called.
// Never checks by itself.

import type { CheckedMend, GroupPreview, RejectDetail } from '../../core/model.ts';
import { count } from '../ui/format.ts';
import { Mark } from '../ui/mark.tsx';
import { checkedWords } from './choices.ts';
import { Sentence } from './segment-view.tsx';

interface FixCheckedProps {
  readonly checked: CheckedMend;
  /** Whether that was found in an edit as it was before: of the one that stands nothing is known yet. */
  readonly isBehind: boolean;
  readonly detail: RejectDetail;
  /** Of many; null for this one alone. */
  readonly preview: GroupPreview | null;
}

/** The lines below the diff. */
export const FixChecked = ({ checked, isBehind, detail, preview }: FixCheckedProps) => {
  const lands = checked.ok || (checked.partial && checked.records > 0);
  const registers = preview?.registers ?? checked.registers;
  const keepsId = checked.batchId === detail.batchId;
  return (
    <div className="fix-checked">
      <p role="status" className="fix-checked-line">
        <Mark name={isBehind ? 'running' : lands ? 'landed' : 'rejected'} />
        <span>{isBehind ? 'Checking the edit' : `Checked again: ${checkedWords(checked)}`}</span>
      </p>
      {preview && preview.remaining.length > 0 ? (
        <ul className="fix-remaining">
          {preview.remaining.map(({ title, rejects, code, field, shape }) => (
            <li key={JSON.stringify([code, field, shape])}>
              {count(rejects)} still {rejects === 1 ? 'has' : 'have'}: <Sentence text={title} />
            </li>
          ))}
        </ul>
      ) : null}
      {registers.length > 0 ? (
        <p className="ink-2">
          Replaying registers <Sentence text={registers.join(', ')} /> on {detail.stream}: later
          batches may have {registers.length === 1 ? 'it' : 'them'} too.
        </p>
      ) : null}
      <p className="ink-2">
        The body as it came stays in <code>failed/</code>.{' '}
        {keepsId ? (
          preview ? (
            'Each batch keeps its id, so a late retry by the producer counts as a replay.'
          ) : (
            'The batch keeps its id, so a late retry by the producer counts as a replay.'
          )
        ) : (
          <>
            It lands as batch <code>{checked.batchId}</code>.
          </>
        )}
      </p>
    </div>
  );
};
