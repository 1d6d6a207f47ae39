// Owns the originals that a stream keeps: how many, until when, removing them after asking. Never removes unasked.

import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation } from '@tanstack/react-query';
import type { Originals } from '../../../../core/model.ts';
import { client, faultOf } from '../../../api.ts';
import { filesOf } from '../../../app/compaction-words.ts';
import { bytes, count } from '../../../ui/format.ts';
import { Section } from '../../../ui/parts.tsx';
import { momentOf } from './run-words.ts';
import { renewCompaction } from './use-compaction.ts';

/** The section "Originals"; nothing where none is kept. */
export const KeptOriginals = ({
  knowledgebase,
  originals,
  isReady,
  isBusy,
  now,
}: {
  knowledgebase: string;
  originals: Originals;
  isReady: boolean;
  isBusy: boolean;
  now: number;
}) => {
  const { stream, runs, kept } = originals;
  const remove = useMutation({
    // One run at a time, oldest first: what is left of a removal that breaks off can still be undone.
    mutationFn: async () => {
      for (const { run } of runs)
        await client.compaction.removeOriginals({ knowledgebase, stream, run });
    },
    onSettled: renewCompaction,
  });
  if (runs.length === 0) return null;
  const ask = (): void => {
    modals.openConfirmModal({
      title: `Remove the originals of ${runs.length === 1 ? 'one run' : `${count(runs.length)} runs`}?`,
      children: (
        <p className="ink-2" style={{ margin: 0 }}>
          {filesOf(kept.files)}, {bytes(kept.sizeBytes)}. Every row stays: it is in the compacted
          files. What was compacted cannot be undone then.
        </p>
      ),
      labels: { confirm: `Remove ${filesOf(kept.files)}`, cancel: 'Keep' },
      confirmProps: { className: 'bad-button' },
      cancelProps: { 'data-autofocus': true },
      onConfirm: () => remove.mutate(),
    });
  };
  return (
    <Section title="Originals" aside={`${filesOf(kept.files)}, ${bytes(kept.sizeBytes)}`}>
      <ul className="originals">
        {runs.map(({ run, keptSince, keptUntil, files, sizeBytes, due }) => (
          <li key={run}>
            <span>{momentOf(keptSince, now)}</span>
            <span className="grow ink-2">
              {filesOf(files)}, {bytes(sizeBytes)}
            </span>
            <span className={due ? 'warn-text' : 'ink-2'}>
              {due ? 'goes within a minute' : `until ${momentOf(keptUntil, now)}`}
            </span>
          </li>
        ))}
      </ul>
      <div className="compacting-foot">
        <Button
          variant="default"
          size="compact-xs"
          h={24}
          disabled={!isReady || isBusy}
          loading={remove.isPending}
          onClick={ask}
        >
          Remove originals…
        </Button>
        <span className="small ink-3">Until then each run can be undone.</span>
      </div>
      {remove.error && isReady ? (
        <p className="small bad-text compaction-fault" role="alert">
          {faultOf(remove.error).message} {faultOf(remove.error).hint}
        </p>
      ) : null}
    </Section>
  );
};
