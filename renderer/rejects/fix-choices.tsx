// Owns the list of what can be done: one is chosen, by a click, arrows or its number. Never does it.

import { TextInput } from '@mantine/core';
import { useId } from 'react';
import type { RejectDetail } from '../../core/model.ts';
import { CellValue } from '../ui/cell.tsx';
import { Key } from '../ui/parts.tsx';
import { oneWords } from './choices.ts';
import { type ChoiceState, renameOf } from './use-choice.ts';

interface FixChoicesProps {
  readonly detail: RejectDetail;
  readonly choice: ChoiceState;
  /** What the chosen one does to many; null where it is for this one, or not known yet. */
  readonly words: string | null;
}

/** The choices. */
export const FixChoices = ({ detail, choice, words }: FixChoicesProps) => {
  const { choices, chosen, choose, rename } = choice;
  const name = useId();
  return (
    <fieldset className="fix-choices">
      <legend className="fix-legend">What to do</legend>
      {choices.map((one, at) => {
        const isChosen = one.key === chosen?.key;
        const fix = renameOf(one);
        return (
          <div key={one.key} className="fix-choice" data-chosen={isChosen || undefined}>
            <label>
              <input type="radio" name={name} checked={isChosen} onChange={() => choose(one.key)} />
              <span className="fix-choice-words">
                <span className="fix-choice-title">
                  <CellValue value={one.title} />
                </span>
                <span className="ink-2">
                  <CellValue value={(isChosen ? words : null) ?? (oneWords(one, detail) || '–')} />
                </span>
              </span>
              {at < 9 ? <Key>{at + 1}</Key> : null}
            </label>
            {isChosen && fix ? (
              <TextInput
                className="fix-rename"
                label={`New name of ${fix.field.slice(0, 60)}`}
                classNames={{ input: 'mono' }}
                defaultValue={fix.to}
                maxLength={255}
                list={`${name}-known`}
                onChange={(event) => rename(one.key, event.currentTarget.value)}
              />
            ) : null}
          </div>
        );
      })}
      <datalist id={`${name}-known`}>
        {(detail.expects.registered ?? detail.expects.known).map((column) => (
          <option key={column} value={column} />
        ))}
      </datalist>
    </fieldset>
  );
};
