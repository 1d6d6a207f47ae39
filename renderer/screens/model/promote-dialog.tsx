// Owns choosing the stream to promote. Never promotes: it tells the screen.

import { Button, Modal, Select } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useStreams } from '../../app/live.ts';
import { count } from '../../ui/format.ts';
import { Key } from '../../ui/parts.tsx';

interface PromoteDialogProps {
  readonly knowledgebase: string;
  readonly isOpen: boolean;
  /** The stream that is chosen at first. */
  readonly stream: string | null;
  readonly isOff: boolean;
  readonly onClose: () => void;
  readonly onPromote: (stream: string) => void;
}

/** The dialog. */
export const PromoteDialog = (props: PromoteDialogProps) => (
  <Modal opened={props.isOpen} onClose={props.onClose} title="Promote a stream">
    <Choice {...props} />
  </Modal>
);

const Choice = ({ knowledgebase, stream, isOff, onClose, onPromote }: PromoteDialogProps) => {
  const streams = useStreams(knowledgebase) ?? [];
  const byRows = [...streams].sort((one, other) => other.rows - one.rows);
  const [chosen, setChosen] = useState<string | null>(stream);
  const first = byRows[0]?.stream ?? null;
  useEffect(() => setChosen((before) => before ?? first), [first]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (chosen !== null && !isOff) onPromote(chosen);
  };
  return (
    <form className="promote-form" onSubmit={submit}>
      <Select
        label="Stream"
        value={chosen}
        onChange={setChosen}
        allowDeselect={false}
        searchable={streams.length > 8}
        data-autofocus
        data={byRows.map((one) => ({
          value: one.stream,
          label: `${one.stream}, ${count(one.rows)} ${one.rows === 1 ? 'row' : 'rows'}`,
        }))}
      />
      <p className="small ink-2">
        Its rows are measured as they are now, and a plan is made for you to review. The model stays
        as it is until you apply it; batches go on landing meanwhile.
      </p>
      <div className="promote-foot">
        <Button variant="default" onClick={onClose} rightSection={<Key>Esc</Key>}>
          Cancel
        </Button>
        <Button type="submit" disabled={isOff || chosen === null}>
          Promote
        </Button>
      </div>
    </form>
  );
};
