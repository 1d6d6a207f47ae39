// Owns discarding rejects: asking, doing it, offering to take it back; and reopening. Never removes a body.

import { useState } from 'react';
import type { RejectSelection } from '../../core/model.ts';
import { client, faultOf } from '../api.ts';
import { count } from '../ui/format.ts';
import { Ask } from './ask.tsx';
import { givenSelection } from './given.ts';
import { offerUndo } from './undo.tsx';
import { follow, renewRejects, resultOf } from './work.ts';

/** What is discarded. */
export interface Discarding {
  readonly selection: RejectSelection;
  readonly count: number;
}

const words = (rejects: number): string =>
  `${count(rejects)} ${rejects === 1 ? 'reject' : 'rejects'}`;

/** The question before discarding. */
export const DiscardAsk = ({
  knowledgebase,
  what,
  onClose,
  onDone,
}: {
  knowledgebase: string;
  /** Null while nothing is asked. */
  what: Discarding | null;
  onClose: () => void;
  onDone: () => void;
}) => {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const many = what?.count ?? 0;
  const discard = async (): Promise<void> => {
    if (!what) return;
    setBusy(true);
    setFault(null);
    try {
      await discardNow(knowledgebase, what);
      onDone();
      onClose();
    } catch (error) {
      setFault(`${faultOf(error).message} ${faultOf(error).hint}`.trim());
    } finally {
      setBusy(false);
    }
  };
  return (
    <Ask
      isOpen={what !== null}
      title={`Discard ${words(many)}?`}
      keep="Keep"
      act={`Discard ${count(many)}`}
      isBusy={isBusy}
      fault={fault}
      onKeep={() => {
        setFault(null);
        onClose();
      }}
      onAct={() => void discard()}
    >
      {many === 1
        ? 'It leaves the inbox and stays in the ledger. You can bring it back for as long as its body is kept.'
        : 'They leave the inbox and stay in the ledger. You can bring them back for as long as their bodies are kept.'}
    </Ask>
  );
};

const discardNow = async (knowledgebase: string, { selection }: Discarding): Promise<void> => {
  const one =
    'rejects' in selection && selection.rejects.length === 1 ? selection.rejects[0] : null;
  if (one) {
    await client.rejects.discard({ knowledgebase, ...one });
    await renewRejects();
    offerUndo('discarded', '1 reject discarded', async () => {
      await client.rejects.reopen({ knowledgebase, ...one });
      await renewRejects();
    });
    return;
  }
  const job = await follow(
    knowledgebase,
    await client.rejects.discardMany({ knowledgebase, selection: givenSelection(selection) }),
  );
  const operation = job.result?.operation;
  // Cancelled before its end, it has no name to take it back by; what was put aside can be reopened.
  if (typeof operation !== 'string') return;
  offerUndo('discarded', `${words(resultOf(job, 'changed'))} discarded`, async () => {
    await follow(
      knowledgebase,
      await client.rejects.reopenMany({ knowledgebase, selection: { filter: { operation } } }),
    );
  });
};
