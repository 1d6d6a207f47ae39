// Owns what a plan says beside its proposals: how columns are read, keys and links, what was seen and is not proposed.
// Never sends anything.

import { useState } from 'react';
import type { Plan, PlannedColumn } from '../../../core/model.ts';
import { count } from '../../ui/format.ts';
import { columnsWords, isNews, keyNotes, readWords } from './plan-words.ts';

/** The head of a section of the plan. */
export const PlanHead = ({ title, aside }: { title: string; aside: string }) => (
  <div className="plan-head">
    <h3>{title}</h3>
    <span className="small ink-2">{aside}</span>
  </div>
);

/** How the columns are read. `onRetype` opens the form of a column. */
export const PlanColumns = ({
  plan,
  isOff,
  onRetype,
}: {
  plan: Plan;
  isOff: boolean;
  onRetype: (column: PlannedColumn) => void;
}) => {
  const [isAll, setAll] = useState(false);
  const news = plan.columns.filter((column) => isNews(column, plan));
  const shown = isAll ? plan.columns : news;
  const rest = plan.columns.length - news.length;
  return (
    <section aria-label="Types of columns">
      <PlanHead title="Types of columns" aside={columnsWords(plan.columns)} />
      <ul className="plan-columns">
        {shown.map((column) => (
          <li key={column.column}>
            <code className="cut" title={column.column}>
              {column.column}
            </code>
            <button
              type="button"
              className="plan-read"
              data-text={column.readAs.type === 'VARCHAR' || undefined}
              disabled={isOff || column.type === null}
              title={column.type === null ? '' : 'Read it another way'}
              aria-label={`${column.column}: ${readWords(column)}. Change`}
              onClick={() => onRetype(column)}
            >
              {readWords(column)}
            </button>
            <span className="plan-casts" data-fails={column.fails > 0 || undefined}>
              {column.readAs.type === 'VARCHAR'
                ? ''
                : `${count(column.casts)} of ${count(column.casts + column.fails)}`}
            </span>
            <span className="plan-column-words">
              <span title={column.words}>{column.words}</span>
              {column.failing.length > 0 ? (
                <span className="warn-text">
                  fails:{' '}
                  {column.failing
                    .map(({ value, rows }) => `“${value}” × ${count(rows)}`)
                    .join(', ')}
                </span>
              ) : null}
              {column.flags.map((flag) => (
                <span key={flag} className="warn-text">
                  {flag}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 ? (
        <button type="button" className="model-link plan-rest" onClick={() => setAll(!isAll)}>
          {isAll ? 'Only what is new' : `${count(rest)} as before`}
        </button>
      ) : null}
    </section>
  );
};

const SIGNS = { new: '+', changed: '~', removed: '−' } as const;

/** Keys and links that differ. */
export const PlanKeys = ({ plan }: { plan: Plan }) => {
  const notes = keyNotes(plan);
  if (notes.length === 0) return null;
  return (
    <section aria-label="Keys and links">
      <PlanHead title="Keys and links" aside={count(notes.length)} />
      <ul className="plan-notes">
        {notes.map(({ mark, what, words }) => (
          <li key={`${mark} ${what} ${words}`}>
            <span className="plan-sign" data-mark={mark} role="img" aria-label={mark}>
              {SIGNS[mark]}
            </span>
            <span className="cut" title={what}>
              {what}
            </span>
            <span className="ink-2 cut" title={words}>
              {words}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};

/** What was seen and is not proposed. */
export const PlanSeen = ({ plan }: { plan: Plan }) =>
  plan.seen.length === 0 ? null : (
    <section aria-label="Seen, not proposed">
      <PlanHead title="Seen, not proposed" aside={count(plan.seen.length)} />
      <ul className="plan-seen">
        {plan.seen.map(({ what, why }) => (
          <li key={`${what} ${why}`}>
            <code title={what}>{what}</code>
            <span className="ink-2">{why}</span>
          </li>
        ))}
      </ul>
    </section>
  );
