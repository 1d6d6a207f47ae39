// Owns one reject beside its fix: what is chosen, how far that reaches, whether the body is edited. Never lists others.

import { useState } from 'react';
import type { RejectDetail, RejectGroup, RejectSelection, RejectState } from '../../core/model.ts';
import { draftKey, useDraft } from './drafts.ts';
import { FixPanel } from './fix-panel.tsx';
import { namesOf, rejectKey } from './inbox-items.ts';
import type { InboxState } from './inbox-state.ts';
import { RejectPane } from './reject-pane.tsx';
import { useCheck } from './use-check.ts';
import { type Reach, useChoice } from './use-choice.ts';
import { filterOfGroup } from './use-inbox.ts';

interface OneRejectProps {
  readonly knowledgebase: string;
  readonly tab: RejectState;
  readonly state: InboxState;
  readonly detail: RejectDetail;
  readonly group: RejectGroup | undefined;
  readonly isFixOpen: boolean;
  readonly onFixOpen: (isOpen: boolean) => void;
  readonly onGone: (reach: Reach) => void;
}

let lastReach: Reach = 'one';

/** One reject and its fix. */
export const OneReject = ({
  knowledgebase,
  tab,
  state,
  detail,
  group,
  isFixOpen,
  onFixOpen,
  onGone,
}: OneRejectProps) => {
  const choice = useChoice(knowledgebase, detail);
  const [reach, setReach] = useState<Reach>(lastReach);
  // Rejects that were chosen together are meant together, until the person says otherwise.
  const [ofChosen, setOfChosen] = useState<Reach>('many');
  const [isEditing, setEditing] = useState(false);
  const draft = useDraft(draftKey(knowledgebase, rejectKey(detail)));
  const name = { knowledgebase, stream: detail.stream, rejectId: detail.rejectId };
  const { check } = useCheck(name, draft ? choice.chosen : null, choice.version);
  const many = manyOf(detail, group, state, tab);
  return (
    <>
      <RejectPane
        knowledgebase={knowledgebase}
        detail={detail}
        edited={draft && choice.chosen?.key === 'edit' ? (check.data?.faults ?? null) : null}
        isEditing={isEditing || draft !== undefined}
        onEditing={setEditing}
        onFix={() => onFixOpen(true)}
      />
      <aside className="fix" aria-label="Fix">
        <FixPanel
          knowledgebase={knowledgebase}
          detail={detail}
          choice={choice}
          reach={many.isGroup ? reach : ofChosen}
          many={many}
          onReach={(next) => {
            if (!many.isGroup) {
              setOfChosen(next);
              return;
            }
            lastReach = next;
            setReach(next);
          }}
          onGone={onGone}
          onClose={isFixOpen ? () => onFixOpen(false) : null}
        />
      </aside>
    </>
  );
};

/** What `many` is: the rejects that were chosen together, else the group as it is shown. */
const manyOf = (
  detail: RejectDetail,
  group: RejectGroup | undefined,
  state: InboxState,
  tab: RejectState,
): { selection: RejectSelection; count: number; isGroup: boolean } => {
  const { selected } = state;
  if (selected.size > 1 && selected.has(rejectKey(detail))) {
    const rejects = [...selected].flatMap((key) => namesOf(key) ?? []);
    return { selection: { rejects }, count: rejects.length, isGroup: false };
  }
  return {
    selection: { filter: filterOfGroup(group ?? detail, state, 'open') },
    count: tab === 'open' && group ? group.open : 1,
    isGroup: true,
  };
};
