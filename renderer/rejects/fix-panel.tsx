// Owns the panel that mends: what can be done, for this one or for many, what it would change, checking again,
// replaying, discarding. Never decides what a fix does.

import { ActionIcon, Button, SegmentedControl } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { RejectDetail, RejectSelection } from '../../core/model.ts';
import { faultOf } from '../api.ts';
import { useShortcuts } from '../app/keys.ts';
import { useEngine } from '../app/live.ts';
import { CellValue } from '../ui/cell.tsx';
import { count } from '../ui/format.ts';
import { Key, Loading, Strip } from '../ui/parts.tsx';
import { manyWords } from './choices.ts';
import { Closed } from './closed.tsx';
import { DiffView } from './diff-view.tsx';
import { DiscardAsk, type Discarding } from './discard.tsx';
import { FaultList } from './fault-list.tsx';
import { ReplayCommand } from './replay-command.tsx';
import './fix.css';
import { FixChecked } from './fix-checked.tsx';
import { FixChoices } from './fix-choices.tsx';
import { RecipeForm } from './recipe-form.tsx';
import { useCheck, usePreview } from './use-check.ts';
import type { ChoiceState, Reach } from './use-choice.ts';
import { canSave, useReplay } from './use-replay.ts';
import { useWork } from './work.ts';
import { WorkProgress } from './work-progress.tsx';

interface FixPanelProps {
  readonly knowledgebase: string;
  readonly detail: RejectDetail;
  readonly choice: ChoiceState;
  readonly reach: Reach;
  /** What `many` is: the group, or what was chosen with Ctrl and Shift. */
  readonly many: {
    readonly selection: RejectSelection;
    readonly count: number;
    readonly isGroup: boolean;
  };
  readonly onReach: (reach: Reach) => void;
  /** Rejects left the list: this one, or the many. */
  readonly onGone: (reach: Reach) => void;
  readonly onClose: (() => void) | null;
}

/** The panel of an open reject; of another one what became of it. */
export const FixPanel = (props: FixPanelProps) => {
  const { knowledgebase, detail, onClose } = props;
  const [discarding, setDiscarding] = useState<(Discarding & { reach: Reach }) | null>(null);
  return (
    <>
      {detail.state === 'open' ? (
        <Open {...props} onDiscard={setDiscarding} />
      ) : (
        <Closed knowledgebase={knowledgebase} detail={detail} onClose={onClose} />
      )}
      <DiscardAsk
        knowledgebase={knowledgebase}
        what={discarding}
        onClose={() => setDiscarding(null)}
        onDone={() => props.onGone(discarding?.reach ?? 'one')}
      />
    </>
  );
};

const Open = (
  props: FixPanelProps & { onDiscard: (what: Discarding & { reach: Reach }) => void },
) => {
  const { knowledgebase, detail, choice, many, onReach, onGone, onDiscard, onClose } = props;
  const { stream, rejectId } = detail;
  const isReady = useEngine().state === 'ready';
  const work = useWork(knowledgebase);
  const { chosen, version } = choice;
  const name = { knowledgebase, stream, rejectId };
  const { check, isBehind } = useCheck(name, chosen, version);
  const canReachMany = many.count > 1 && chosen?.isOneOnly !== true;
  const reach: Reach = canReachMany ? props.reach : 'one';
  const preview = usePreview(knowledgebase, chosen, reach === 'many' ? many.selection : null);
  const number = reach === 'many' ? (preview.data?.rejects ?? many.count) : 1;
  const { isBusy, fault, recipe, setRecipe, replay } = useReplay({
    ...{ knowledgebase, detail, chosen, reach, selection: many.selection, onGone },
  });
  const cannot = !isReady || isBusy || work !== undefined || chosen === null;

  const checkAgain = (): void => {
    if (!isReady || chosen === null) return;
    void check.refetch();
    if (reach === 'many') void preview.refetch();
  };
  const discard = (): void => {
    if (!isReady) return;
    onDiscard({
      reach,
      selection: reach === 'many' ? many.selection : { rejects: [{ stream, rejectId }] },
      count: reach === 'many' ? many.count : 1,
    });
  };
  const shortcuts: Record<string, () => void> = {
    // A dialog that stands over the panel is answered first.
    'mod+Enter': () => {
      if (!cannot && !document.querySelector('[role="dialog"]')) void replay();
    },
    'mod+shift+Enter': checkAgain,
  };
  for (const [at, one] of choice.choices.slice(0, 9).entries()) {
    shortcuts[String(at + 1)] = () => choice.choose(one.key);
  }
  useShortcuts(shortcuts);
  return (
    <>
      <div className="fix-head">
        <h2>Fix</h2>
        <span className="grow cut ink-2" title={detail.title}>
          <CellValue value={detail.title} />
        </span>
        {many.count > 1 ? (
          <SegmentedControl
            aria-label="How many"
            value={reach}
            disabled={!canReachMany}
            onChange={(value) => onReach(value as Reach)}
            data={[
              { value: 'one', label: 'This one' },
              {
                value: 'many',
                label: many.isGroup ? `All ${count(many.count)}` : `${count(many.count)} chosen`,
              },
            ]}
            transitionDuration={0}
          />
        ) : null}
        {onClose === null ? null : (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            aria-label="Close the panel"
            onClick={onClose}
          >
            <IconX size={16} stroke={1.6} />
          </ActionIcon>
        )}
      </div>
      <div className="fix-scroll">
        {fault ? (
          <Strip tone="bad" what={fault.message}>
            <CellValue value={fault.hint} />
          </Strip>
        ) : null}
        {detail.now === null ? (
          <p className="fix-none ink-2">
            Its body was removed by retention, so it cannot be landed. Its reason, and that it came,
            stay in the ledger. Ask its producer to send the batch again.
          </p>
        ) : choice.choices.length === 0 ? (
          <p className="fix-none ink-2">
            No fix is known for this. Edit the body, or download it, mend it there and replay it
            with: <ReplayCommand />.
          </p>
        ) : (
          <FixChoices
            detail={detail}
            choice={choice}
            words={
              reach === 'many' && preview.data && chosen
                ? manyWords(preview.data, chosen.mend.fixes ?? [])
                : null
            }
          />
        )}
        {chosen === null ? null : check.error ? (
          <Strip tone="bad" what={faultOf(check.error).message}>
            {faultOf(check.error).hint}
          </Strip>
        ) : check.data ? (
          <>
            <div className="fix-change">
              <h3>Change in this body</h3>
              {check.data.changeCount === 0 ? (
                <span className="ink-3">none</span>
              ) : (
                <span>
                  <span className="fix-plus">+{count(check.data.linesAdded)}</span>{' '}
                  <span className="fix-minus">−{count(check.data.linesRemoved)}</span>
                </span>
              )}
            </div>
            {check.data.changeCount === 0 ? null : <DiffView name={name} checked={check.data} />}
            <FixChecked
              checked={check.data}
              isBehind={isBehind}
              detail={detail}
              preview={reach === 'many' ? (preview.data ?? null) : null}
            />
            {check.data.ok ? null : (
              <FaultList faults={check.data.faults} count={check.data.faultCount} />
            )}
          </>
        ) : (
          <Loading>Checking</Loading>
        )}
      </div>
      <div className="fix-foot">
        {work ? <WorkProgress job={work} /> : null}
        {chosen !== null && canSave(chosen) ? (
          <RecipeForm
            key={chosen?.key}
            stream={stream}
            title={chosen?.title ?? ''}
            recipe={recipe}
            onChange={setRecipe}
          />
        ) : null}
        <div className="fix-buttons">
          <Button
            className="fix-replay"
            disabled={cannot || detail.now === null}
            loading={isBusy && work === undefined}
            onClick={() => void replay()}
            rightSection={<Key>Ctrl ↵</Key>}
          >
            Replay {count(number)}
          </Button>
          <Button
            variant="default"
            title="Ctrl Shift Enter"
            disabled={!isReady || chosen === null}
            loading={check.isFetching && check.data !== undefined && !check.isPlaceholderData}
            onClick={checkAgain}
          >
            Check again
          </Button>
          <span className="grow" />
          <Button
            className="fix-discard"
            variant="subtle"
            disabled={!isReady || work !== undefined}
            onClick={discard}
          >
            Discard…
          </Button>
        </div>
      </div>
    </>
  );
};
