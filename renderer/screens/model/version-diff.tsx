// Owns how the difference of two versions is drawn: by type, a tinted line for each change.
// Never asks for one.

import type { ModelDiff } from '../../../core/model.ts';
import { changesByType } from './diff-words.ts';

const SIGNS = { new: '+', changed: '~', removed: '−' } as const;

/** The difference. */
export const VersionDiff = ({ diff }: { diff: ModelDiff }) => {
  const types = changesByType(diff.changes);
  if (types.length === 0) {
    return (
      <p className="plan-note versions-same">
        Nothing differs: v{diff.from} and v{diff.to} are the same model.
      </p>
    );
  }
  return (
    <div className="version-diff">
      <p className="small ink-2">
        From v{diff.from} to v{diff.to}
      </p>
      {types.map(({ type, name, lines }) => (
        <section key={type} aria-label={name}>
          <h4>{name}</h4>
          <ul>
            {lines.map(({ mark, words, before, after }) => (
              <li key={`${mark} ${words}`} data-mark={mark}>
                <span className="version-sign" role="img" aria-label={mark}>
                  {SIGNS[mark]}
                </span>
                <span className="grow">
                  {words}
                  {before !== null || after !== null ? (
                    <span className="version-values">
                      {before === null ? null : <del>{before}</del>}
                      {before !== null && after !== null ? ' → ' : ' '}
                      {after === null ? null : <ins>{after}</ins>}
                    </span>
                  ) : null}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
};
