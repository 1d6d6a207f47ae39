// Owns running promotions and their applying as jobs. Never knows what they do.

import type { Job } from '../model.ts';
import { beginApply } from '../ontology/apply.ts';
import { accountName } from '../ontology/ground.ts';
import { beginPromotion } from '../ontology/promote.ts';
import { promotionIn } from '../ontology/records.ts';
import type { Core } from '../open-core.ts';

/** Starts a promotion; see the contract. What refuses it is thrown before there is a job. */
export const startPromotion = async (
  core: Core,
  id: string,
  stream: string,
  by: string | undefined,
): Promise<Job> => {
  const { ontology, streams } = core.knowledgebase(id);
  const open = streams.get(stream);
  const begun = await beginPromotion(ontology, open.id, by ?? accountName());
  return core.jobs.start(
    { kind: 'promotion', title: `Promoting ${open.id}`, knowledgebase: ontology.id },
    async (report, signal) => {
      const { state, words } = await begun.run((done, total, unit, at) => {
        report({ done, total, unit, words: at });
      }, signal);
      return { promotion: begun.id, stream: open.id, state, words };
    },
  );
};

/** Starts applying a plan; see the contract. */
export const startApply = async (
  core: Core,
  id: string,
  promotion: string,
  options: { readonly by?: string | undefined; readonly why?: string | undefined },
  acceptRest: boolean,
): Promise<Job> => {
  const { ontology } = core.knowledgebase(id);
  const { stream } = promotionIn(ontology, promotion);
  const signed = { by: options.by ?? accountName(), why: options.why ?? `Promoted ${stream}.` };
  const begun = await beginApply(ontology, promotion, signed, acceptRest);
  return core.jobs.start(
    { kind: 'model', title: `Applying the plan of ${stream}`, knowledgebase: ontology.id },
    async () => {
      const { version } = await begun.run();
      return { promotion, version };
    },
  );
};
