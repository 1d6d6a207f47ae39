// Owns how well a key matches an attribute of the model: the score, its parts as bars, the runner-up.
// Never decides.

import type { AttributeMatch } from '../../../core/model.ts';

const PARTS: Readonly<Record<string, string>> = {
  name: 'Name',
  type: 'Type',
  unit: 'Unit',
  values: 'Values',
};

/** The parts of a match. */
export const MatchBars = ({ match }: { match: AttributeMatch }) => (
  <dl className="match-bars" aria-label="Match">
    <div>
      <dt>Match to {match.typeName}</dt>
      <dd>
        <span className="match-bar" />
        <strong>{match.score.toFixed(2)}</strong>
        <span className="cut" title={`${match.column}, ${match.typeName}.${match.attribute}`}>
          {match.typeName}.{match.attribute}
        </span>
      </dd>
    </div>
    {match.parts.map(({ part, score, words }) => (
      <Part key={part} name={PARTS[part] ?? part} score={score} words={words} />
    ))}
    {match.runnerUp === null ? (
      <div>
        <dt>Runner-up</dt>
        <dd>
          <span className="match-bar" />
          <span>–</span>
          <span className="cut">nothing else is near</span>
        </dd>
      </div>
    ) : (
      <Part
        name="Runner-up"
        score={match.runnerUp.score}
        words={`${match.runnerUp.typeName}.${match.runnerUp.attribute}`}
      />
    )}
  </dl>
);

const Part = ({ name, score, words }: { name: string; score: number; words: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <span className="match-bar" data-filled aria-hidden="true">
        <span style={{ width: `${Math.round(score * 100)}%` }} />
      </span>
      <span>{score.toFixed(2)}</span>
      <span className="cut" title={words}>
        {words}
      </span>
    </dd>
  </div>
);
