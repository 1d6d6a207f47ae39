// Owns one knowledgebase of the list: where it is, showing it, taking it off the list, finding one that was moved.
// Never touches its folder.

import { Button, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { KnowledgebaseSummary } from '../../../core/model.ts';
import { api, client, faultOf, queryClient } from '../../api.ts';
import { chooseKnowledgebase, useEngine } from '../../app/live.ts';
import { OpenFolder, openAt } from '../../app/open-folder.tsx';
import { bridge } from '../../bridge.ts';
import { count } from '../../ui/format.ts';
import { Mark } from '../../ui/mark.tsx';
import { CopyButton } from '../../ui/parts.tsx';
import { Toast } from '../../ui/toast.tsx';

/** The row. */
export const KnowledgebaseRow = ({
  summary,
  isShown,
}: {
  summary: KnowledgebaseSummary;
  isShown: boolean;
}) => {
  const { id, path, streams, fault } = summary;
  const isAway = useEngine().state !== 'ready';
  const [wrong, setWrong] = useState<string | null>(null);
  const state = fault !== null ? 'cannot be opened' : isShown ? 'shown' : 'not shown';
  const forget = async (): Promise<void> => {
    setWrong(null);
    try {
      await client.knowledgebases.forget({ knowledgebase: id });
      await queryClient.invalidateQueries({ queryKey: api.knowledgebases.key() });
      sayForgotten(summary);
    } catch (error) {
      setWrong(faultOf(error).message);
    }
  };
  return (
    <li>
      <Mark name={fault !== null ? 'error' : isShown ? 'landed' : 'idle'} label={state} />
      <div className="setting-list-words">
        <span className="strong cut">{id}</span>
        <span className="mono cut ink-2" title={path}>
          {path}
        </span>
        {fault === null ? null : <span className="small bad-text">{fault}</span>}
        {wrong === null ? null : (
          <span className="small bad-text" role="alert">
            {wrong}
          </span>
        )}
        {fault !== null && !summary.inHome ? (
          <OpenFolder label="Open it where it is now" first={bridge ? '' : path} />
        ) : null}
      </div>
      <span className="small ink-2 setting-list-fact">
        {fault === null ? `${count(streams)} ${streams === 1 ? 'stream' : 'streams'}` : ''}
      </span>
      <CopyButton text={path} label={`Copy the path of ${id}`} />
      {bridge && fault === null ? (
        <Button
          variant="default"
          disabled={isAway}
          aria-label={`Reveal ${id}`}
          onClick={() =>
            void bridge
              ?.revealIn({ knowledgebase: id })
              .catch((error) => setWrong(faultOf(error).message))
          }
        >
          Reveal
        </Button>
      ) : null}
      <Tooltip label="Nothing on disk is touched; opening its folder puts it back">
        <Button
          variant="subtle"
          color="gray"
          disabled={isAway}
          aria-label={`Remove from list: ${id}`}
          onClick={() => void forget()}
        >
          Remove from list
        </Button>
      </Tooltip>
      {fault === null ? (
        <Button
          variant="default"
          w={64}
          disabled={isAway || isShown}
          aria-label={isShown ? `${id} is shown` : `Show ${id}`}
          onClick={() => chooseKnowledgebase(id)}
        >
          {isShown ? 'Shown' : 'Show'}
        </Button>
      ) : null}
    </li>
  );
};

/** What was done, with the way back; one that is gone has none. */
const sayForgotten = ({ id, path, fault }: KnowledgebaseSummary): void => {
  const undo = async (): Promise<void> => {
    notifications.hide(toast);
    await openAt(path).catch(() => {});
  };
  const toast = notifications.show({
    closeButtonProps: { 'aria-label': 'Close' },
    message: (
      <Toast
        mark="discarded"
        {...(fault === null ? { action: 'Undo', onAction: () => void undo() } : {})}
      >
        {id} is off the list; nothing on disk was touched
      </Toast>
    ),
  });
};
