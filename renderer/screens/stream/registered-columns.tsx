// Owns registering a stream's columns: which fields are welcome, or any. Never changes what has landed.

import { Button, Modal, Switch, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { StreamSummary } from '../../../core/model.ts';
import { api, faultOf, queryClient } from '../../api.ts';
import { useEngine } from '../../app/live.ts';

interface RegisteredColumnsProps {
  readonly knowledgebase: string;
  readonly summary: StreamSummary;
  /** Fields that were seen, offered when nothing is registered yet. */
  readonly known: readonly string[];
}

/** The button and its dialog. */
export const RegisteredColumns = (props: RegisteredColumnsProps) => {
  const isReady = useEngine().state === 'ready';
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" disabled={!isReady} onClick={() => setOpen(true)}>
        Register columns…
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={`Columns of ${props.summary.stream}`}
      >
        <Form {...props} onDone={() => setOpen(false)} />
      </Modal>
    </>
  );
};

/** The names of a text, one a line; empty lines are none. */
const namesOf = (text: string): string[] => text.split('\n').filter((name) => name !== '');

const Form = ({
  knowledgebase,
  summary,
  known,
  onDone,
}: RegisteredColumnsProps & { onDone: () => void }) => {
  const { stream, registered } = summary;
  const [isOnly, setOnly] = useState(registered !== null);
  const [text, setText] = useState((registered ?? known).join('\n'));
  const { mutate, error, isPending } = useMutation(
    api.streams.update.mutationOptions({
      onSuccess: () => {
        void queryClient.invalidateQueries({ queryKey: api.streams.key() });
        onDone();
      },
    }),
  );
  const names = namesOf(text);
  return (
    <form
      className="stream-form"
      onSubmit={(event) => {
        event.preventDefault();
        mutate({ knowledgebase, stream, columns: isOnly ? names : null });
      }}
    >
      <Switch
        label="Only registered fields are welcome"
        description="A batch with any other field is rejected as unknown_column. What has landed stays."
        checked={isOnly}
        onChange={(event) => setOnly(event.currentTarget.checked)}
      />
      <Textarea
        label="Fields, one a line"
        classNames={{ input: 'mono' }}
        autosize
        minRows={4}
        maxRows={14}
        disabled={!isOnly}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={error ? `${faultOf(error).message} ${faultOf(error).hint}` : undefined}
      />
      <div className="stream-buttons">
        <Button variant="default" onClick={onDone}>
          Keep as it is
        </Button>
        <Button type="submit" loading={isPending} disabled={isOnly && names.length === 0}>
          {isOnly ? `Register ${names.length}` : 'Welcome any field'}
        </Button>
      </div>
    </form>
  );
};
