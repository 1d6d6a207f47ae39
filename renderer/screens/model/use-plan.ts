// Owns the plan that a person reviews: reading it, editing, deciding, undoing, one act after the other.
// Never applies it.

import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Plan, PlanEdit, PlanItem } from '../../../core/model.ts';
import { api, client, faultOf, queryClient } from '../../api.ts';
import { decidedBy, editOf, type Move } from './plan-moves.ts';

type EditInput = Parameters<typeof client.ontology.edit>[0]['edit'];

/** What can be done with a plan. Each act answers the plan as it is then, or null where it was not possible. */
export interface PlanActs {
  readonly edit: (edit: PlanEdit) => Promise<Plan | null>;
  readonly undo: () => Promise<Plan | null>;
  readonly move: (item: PlanItem, move: Exclude<Move, 'rename'>) => Promise<Plan | null>;
  readonly reopen: (item: PlanItem) => Promise<Plan | null>;
  readonly acceptRest: () => Promise<Plan | null>;
}

/** A plan and its acts. `fault` is why the last act was not possible. */
export const usePlan = (knowledgebase: string, promotion: string) => {
  const input = { knowledgebase, promotion };
  const options = api.ontology.plan.queryOptions({ input, refetchInterval: 15_000 });
  const { data: plan, error } = useQuery(options);
  const [fault, setFault] = useState<{ message: string; hint: string } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const busy = useRef(false);

  const act = async (work: () => Promise<Plan>): Promise<Plan | null> => {
    // A second key while the first is under way would be about a plan that is gone.
    if (busy.current) return null;
    busy.current = true;
    setBusy(true);
    setFault(null);
    try {
      const next = await work();
      // One that was asked for before and is still on its way is of the plan as it was.
      await queryClient.cancelQueries({ queryKey: options.queryKey });
      queryClient.setQueryData(options.queryKey, next);
      return next;
    } catch (thrown) {
      setFault(faultOf(thrown));
      return null;
    } finally {
      busy.current = false;
      setBusy(false);
      // What a type does to the rows may be another now, and so may the count of what is decided.
      void queryClient.invalidateQueries({ queryKey: api.ontology.effect.key() });
      void queryClient.invalidateQueries({ queryKey: api.ontology.get.key() });
      void queryClient.invalidateQueries({ queryKey: api.ontology.sql.key() });
    }
  };
  const decide = (item: PlanItem, accepted: boolean): Promise<Plan> =>
    client.ontology.decide({ ...input, item: item.id, accepted });

  // The contract's inputs are not readonly; what is sent is not changed.
  const send = (edit: PlanEdit): Promise<Plan> =>
    client.ontology.edit({ ...input, edit: edit as EditInput });

  const acts: PlanActs = {
    edit: (edit) => act(() => send(edit)),
    undo: () => act(() => client.ontology.undo(input)),
    move: (item, move) =>
      act(async () => {
        const edit = editOf(item, move);
        let now = edit ? await send(edit) : (plan as Plan);
        for (const one of decidedBy(item, edit, now)) now = await decide(one, true);
        return now;
      }),
    reopen: (item) => act(() => decide(item, false)),
    acceptRest: () =>
      act(async () => {
        let now = plan as Plan;
        for (const item of now.items) {
          if (item.decision === null) now = await decide(item, true);
        }
        return now;
      }),
  };
  return { plan, error, fault, isBusy, acts };
};
