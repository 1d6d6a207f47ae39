// Owns what a type of the plan does to the rows of the snapshot: how many, a sample, what fails, repeats, disagrees.
// Never changes the plan.

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Plan, TypeEffect } from '../../../core/model.ts';
import { api, faultOf } from '../../api.ts';
import { count } from '../../ui/format.ts';
import { Mark } from '../../ui/mark.tsx';
import { Loading } from '../../ui/parts.tsx';
import { BatchLink, SampleTable } from './sample-table.tsx';

/** The effect of one type. */
export const PlanEffect = ({
  knowledgebase,
  plan,
  type,
}: {
  knowledgebase: string;
  plan: Plan;
  type: string;
}) => {
  const { id, stream } = plan.promotion;
  const found = plan.model.types.find((one) => one.id === type);
  const isOfStream = found?.streams.includes(stream) ?? false;
  const { data, error } = useQuery(
    api.ontology.effect.queryOptions({
      input: { knowledgebase, promotion: id, type },
      enabled: isOfStream,
    }),
  );
  if (!found || !isOfStream) return null;
  if (!data) {
    return error ? (
      <p className="plan-note bad-text">{faultOf(error).message}</p>
    ) : (
      <Loading>Looking at the rows</Loading>
    );
  }
  return (
    <div className="plan-effect">
      <p className="plan-note">
        <strong>{rowsWords(data)}</strong> of the snapshot would be in {found.name}.
        {data.fails + data.withoutKey + data.repeated + data.conflicts.length === 0
          ? ' No value fails, no row disagrees.'
          : ''}
      </p>
      <Faults data={data} stream={stream} isFact={found.kind === 'fact'} />
      <SampleTable
        label={`Sample rows of ${found.name}`}
        columns={data.columns}
        rows={data.sample}
        streams={[stream]}
      />
    </div>
  );
};

const rowsWords = ({ rows }: TypeEffect): string => `${count(rows)} ${rows === 1 ? 'row' : 'rows'}`;

const Faults = ({
  data,
  stream,
  isFact,
}: {
  data: TypeEffect;
  stream: string;
  isFact: boolean;
}) => (
  <>
    {data.fails > 0 ? (
      <Fault
        words={`${count(data.fails)} ${data.fails === 1 ? 'value does' : 'values do'} not cast and would be NULL.`}
      >
        <ul className="plan-failing" aria-label="Values that fail">
          {data.failing.map(({ attribute, value, batchId, line }) => (
            <li key={`${attribute} ${batchId} ${line}`}>
              <span className="ink-2">{attribute}</span>
              <code className="cut" title={value}>
                {value}
              </code>
              <BatchLink stream={stream} batchId={batchId} line={line} />
            </li>
          ))}
        </ul>
      </Fault>
    ) : null}
    {data.withoutKey > 0 ? (
      <Fault
        words={`${count(data.withoutKey)} ${data.withoutKey === 1 ? 'row has' : 'rows have'} no key${isFact ? '.' : ' and would not be in it.'}`}
      />
    ) : null}
    {data.repeated > 0 ? (
      <Fault
        words={`${count(data.repeated)} ${data.repeated === 1 ? 'key stands' : 'keys stand'} in more than one row: ${data.repeatedKeys.map((key) => key.map((part) => part ?? 'null').join(', ')).join('; ')}.`}
      />
    ) : null}
    {data.conflicts.map(({ attribute, keys, examples }) => (
      <Fault
        key={attribute}
        words={`${count(keys)} ${keys === 1 ? 'key has' : 'keys have'} more than one ${attribute}; the one that landed last wins: ${examples.map((one) => one ?? 'null').join(', ')}.`}
      />
    ))}
  </>
);

const Fault = ({ words, children }: { words: string; children?: ReactNode }) => (
  <div className="plan-fault">
    <Mark name="lagging" />
    <div className="grow">
      {words}
      {children}
    </div>
  </div>
);
