// Owns the way from a row of an answer to its batch and line in the stream, by link and by key.
// Never guesses: where several streams are named, the engine says which has the batch.

import { useQueries } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { useShortcuts } from '../../app/keys.ts';
import { addressOf, atLine, go, type Place } from '../../app/router.ts';
import { Key, Section } from '../../ui/parts.tsx';
import { type Origin, originOf } from './origin.ts';
import type { Answer } from './runs.ts';
import { streamsIn } from './sql-words.ts';

interface RowOriginProps {
  readonly knowledgebase: string;
  readonly answer: Answer;
  readonly row: number;
}

/** The section "Where it came from"; nothing where the SQL names no stream. */
export const RowOrigin = ({ knowledgebase, answer, row }: RowOriginProps) => {
  const origin = originOf(answer, row);
  if (origin) return <Known knowledgebase={knowledgebase} origin={origin} />;
  if (streamsIn(answer.sql).length === 0) return null;
  return (
    <Section title="Where it came from">
      <p className="value-origin">
        Select <span className="mono">_batch_id</span> and <span className="mono">_line</span> too,
        and each row leads back to its POST.
      </p>
    </Section>
  );
};

const Known = ({ knowledgebase, origin }: { knowledgebase: string; origin: Origin }) => {
  const { batchId, line, streams } = origin;
  const answers = useQueries({
    queries: streams.map((stream) =>
      api.streams.batch.queryOptions({
        input: { knowledgebase, stream, batchId },
        staleTime: 60_000,
      }),
    ),
  });
  const having = streams.filter((_, at) => answers[at]?.data !== undefined);
  const isAsking = answers.some(({ isPending }) => isPending);
  const placeIn = (stream: string): Place => ({
    ...{ screen: 'stream', stream, tab: 'rows' },
    at: line === null ? batchId : atLine(batchId, line),
  });
  const [first] = having;
  useShortcuts({ p: () => first !== undefined && go(placeIn(first)) });
  return (
    <Section title="Where it came from" aside={first === undefined ? null : <Key>P</Key>}>
      <p className="value-origin">
        Batch <span className="mono">{batchId}</span>
        {line === null ? '' : `, line ${line}`}
        {having.length === 0 && !isAsking
          ? `. No batch of this id is in ${streams.join(' or ')}.`
          : ''}
      </p>
      {having.map((stream) => (
        <a key={stream} className="value-link" href={addressOf(placeIn(stream))}>
          Show it in {stream}
        </a>
      ))}
    </Section>
  );
};
