// Owns which choice a person has made for a reject, kept while it is shown, and how far it reaches. Never does it.

import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Fix, RejectDetail } from '../../core/model.ts';
import { api } from '../api.ts';
import { type Choice, choicesOf, nameAtFault } from './choices.ts';
import { draftKey, useDraft } from './drafts.ts';
import { rejectKey } from './inbox-items.ts';
import { useBodyLines } from './use-body.ts';

/** How far a choice reaches: the reject that is shown, or all of its group or selection. */
export type Reach = 'one' | 'many';

/** The choices for a reject, and the one that is chosen. */
export const useChoice = (knowledgebase: string, detail: RejectDetail) => {
  const key = rejectKey(detail);
  const draft = useDraft(draftKey(knowledgebase, key));
  const { data: recipes } = useQuery(
    api.rejects.recipes.list.queryOptions({ input: { knowledgebase, stream: detail.stream } }),
  );
  const { stream, rejectId } = detail;
  const fault = detail.now?.faults[0];
  const line = fault?.line ?? 1;
  const { lines } = useBodyLines({ knowledgebase, stream, rejectId }, line, line);
  const field = nameAtFault(detail, lines.get(line)?.text ?? '', fault?.column ?? null);
  const [wanted, setWanted] = useState<string | null>(null);
  /** New names of fields, by the choice that they belong to. */
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const choices = useMemo(() => {
    const all = choicesOf(detail, draft, recipes ?? [], field);
    return all.map((choice) => renamed(choice, names[choice.key]));
  }, [detail, draft, recipes, field, names]);
  // An edit that is there is what the person is at.
  const chosen =
    choices.find((choice) => choice.key === wanted) ??
    choices.find((choice) => choice.key === 'edit') ??
    choices.find((choice) => choice.offer?.passes !== false) ??
    choices[0] ??
    null;
  return {
    choices,
    chosen,
    version: draft?.version ?? 0,
    choose: setWanted,
    rename: (choice: string, to: string): void =>
      setNames((before) => ({ ...before, [choice]: to })),
  };
};

export type ChoiceState = ReturnType<typeof useChoice>;

/** The fix of a choice that gives a field another name; null where it is none. */
export const renameOf = ({
  mend,
  recipe,
}: Choice): Extract<Fix, { kind: 'rename-field' }> | null => {
  const fix = recipe ? undefined : mend.fixes?.[0];
  return fix?.kind === 'rename-field' ? fix : null;
};

const renamed = (choice: Choice, to: string | undefined): Choice => {
  const fix = renameOf(choice);
  if (!fix || to === undefined || to === '' || to === fix.to) return choice;
  return { ...choice, mend: { fixes: [{ ...fix, to }] } };
};
