// Owns the panel of a reject that is not open any more: where it landed, or how it comes back. Never mends.

import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { RejectDetail } from '../../core/model.ts';
import { client, faultOf } from '../api.ts';
import { useEngine } from '../app/live.ts';
import { addressOf } from '../app/router.ts';
import { fullTime } from '../ui/format.ts';
import { Mark } from '../ui/mark.tsx';
import { CopyButton, Strip } from '../ui/parts.tsx';
import { draftKey, dropDraft, useDraft } from './drafts.ts';
import { rejectKey } from './inbox-items.ts';
import { renewRejects } from './work.ts';

/** What became of it. */
export const Closed = ({
  knowledgebase,
  detail,
  onClose,
}: {
  knowledgebase: string;
  detail: RejectDetail;
  onClose: (() => void) | null;
}) => {
  const isReady = useEngine().state === 'ready';
  const [fault, setFault] = useState<string | null>(null);
  const { stream, rejectId, state, changedAt, changedBy, landedAs, bodyRemovedAt } = detail;
  const key = draftKey(knowledgebase, rejectKey(detail));
  const draft = useDraft(key);
  const isReplayed = state === 'replayed';
  const when = changedAt === null ? '' : ` ${fullTime(changedAt).slice(0, -4)}`;
  const by = changedBy === null ? '' : ` by ${changedBy}`;
  const reopen = async (): Promise<void> => {
    setFault(null);
    try {
      await client.rejects.reopen({ knowledgebase, stream, rejectId });
    } catch (error) {
      setFault(`${faultOf(error).message} ${faultOf(error).hint}`);
    }
    await renewRejects();
  };
  return (
    <>
      <div className="fix-head">
        <h2>{isReplayed ? 'Replayed' : 'Discarded'}</h2>
        <span className="grow cut ink-2">{`${when}${by}`.trim()}</span>
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
        {draft ? (
          <Strip
            tone="warn"
            what={isReplayed ? 'It was replayed meanwhile.' : 'It was discarded meanwhile.'}
            actions={
              <>
                {draft.kind === 'text' ? (
                  <CopyButton text={draft.text} label="Copy my edit" />
                ) : null}
                <Button variant="default" onClick={() => dropDraft(key)}>
                  Drop my edit
                </Button>
              </>
            }
          >
            Your edit was not sent. It is kept until you drop it.
          </Strip>
        ) : null}
        {fault ? <Strip tone="bad" what={fault} /> : null}
        <div className="closed">
          {isReplayed ? (
            <>
              <p className="marked">
                <Mark name="landed" />
                <span>
                  It landed
                  {landedAs === null ? null : (
                    <>
                      {' '}
                      as batch{' '}
                      <a
                        className="mono"
                        href={addressOf({ screen: 'stream', stream, tab: 'batches', at: landedAs })}
                      >
                        {landedAs}
                      </a>
                    </>
                  )}
                  .
                </span>
              </p>
              <p className="ink-2">
                The body as it came stays in <code>failed/</code>. Sent again by its producer, it
                counts as a replay and adds nothing.
              </p>
            </>
          ) : (
            <>
              <p className="marked">
                <Mark name="discarded" />
                <span>It was put aside and stays in the ledger.</span>
              </p>
              {bodyRemovedAt === null ? (
                <Button variant="default" disabled={!isReady} onClick={() => void reopen()}>
                  Reopen
                </Button>
              ) : (
                <p className="ink-2">
                  Its body was removed {fullTime(bodyRemovedAt).slice(0, -4)} by retention, so it
                  cannot be landed any more.
                </p>
              )}
            </>
          )}
        </div>
      </div>
    </>
  );
};
