// Owns the small card of the last versions at the foot of the graph: one bed each, the plan dashed on top.
// Never restores one.

import type { Model, PromotionSummary } from '../../../core/model.ts';
import { useNow } from '../../app/live.ts';
import { age, count } from '../../ui/format.ts';
import { bedOf } from './beds.ts';
import { originOf } from './diff-words.ts';
import { useVersions } from './use-model.ts';

const SHOWN = 3;

/** The card. */
export const VersionCard = ({
  knowledgebase,
  model,
  plan,
  next,
}: {
  knowledgebase: string;
  model: Model;
  plan: PromotionSummary | null;
  next: number;
}) => {
  const { data } = useVersions(knowledgebase, true);
  const now = useNow();
  const links = model.types.reduce((sum, type) => sum + type.links.length, 0);
  return (
    <section className="model-card version-card" aria-label="Latest versions">
      <h2 className="version-card-head">
        Versions
        <span>
          {count(model.types.length)} {model.types.length === 1 ? 'type' : 'types'}, {count(links)}{' '}
          {links === 1 ? 'link' : 'links'}
        </span>
      </h2>
      <ul>
        {plan === null ? null : (
          <li>
            <span className="bed" data-bed="plan" aria-hidden="true" />
            <span>v{next}</span>
            <span className="cut">{plan.stream}</span>
            <span>plan</span>
          </li>
        )}
        {data?.slice(0, SHOWN).map((one, index) => (
          <li key={one.version}>
            <span className="bed" data-bed={bedOf(index)} aria-hidden="true" />
            <span>v{one.version}</span>
            <span className="cut" title={one.why}>
              {originOf(one)}
            </span>
            <span>{age(one.at, now)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
};
