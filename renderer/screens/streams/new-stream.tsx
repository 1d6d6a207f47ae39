// Owns the dialog that makes a stream. Never closes on a fault: what was typed stays.

import { Button, Modal, Switch, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { api, faultOf, queryClient } from '../../api.ts';
import { shownKeys } from '../../app/keys.ts';
import { useStreams } from '../../app/live.ts';
import { count } from '../../ui/format.ts';
import { Key } from '../../ui/parts.tsx';
import './new-stream.css';
import { columnsFault, columnsOf, idFault } from './stream-input.ts';

interface NewStreamProps {
  readonly knowledgebase: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onMade: (stream: string) => void;
}

/** The dialog. */
export const NewStream = ({ isOpen, onClose, ...rest }: NewStreamProps) => (
  <Modal opened={isOpen} onClose={onClose} title="New stream">
    <Form onClose={onClose} {...rest} />
  </Modal>
);

const Form = ({ knowledgebase, onClose, onMade }: Omit<NewStreamProps, 'isOpen'>) => {
  const [id, setId] = useState('');
  const [text, setText] = useState('');
  const [isByBody, setByBody] = useState(false);
  const [isTried, setTried] = useState(false);
  const taken = (useStreams(knowledgebase) ?? []).map(({ stream }) => stream);
  const columns = columnsOf(text);
  const wrongId = idFault(id, taken);
  const wrongColumns = columnsFault(columns);
  const create = useMutation(
    api.streams.create.mutationOptions({
      onSuccess: async ({ stream }) => {
        await queryClient.invalidateQueries({ queryKey: api.streams.list.key() });
        onClose();
        onMade(stream);
      },
    }),
  );
  const submit = (): void => {
    setTried(true);
    if (wrongId !== null || wrongColumns !== null || create.isPending) return;
    create.mutate({ knowledgebase, stream: id, columns, recogniseEqualBodies: isByBody });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  };
  // A rule is shown as broken while typing only where more typing cannot mend it.
  const shownFault = isTried || (id !== '' && wrongId !== null) ? wrongId : null;
  return (
    <form
      className="new-stream"
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextInput
        label="Id"
        description="Up to 63 letters, digits, _ and -. It stays as it is."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={id}
        onChange={(event) => setId(event.currentTarget.value)}
        error={shownFault}
        classNames={{ input: 'mono' }}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <Textarea
        label="Registered columns"
        description={
          columns === null
            ? 'One a line, or with commas between. Left empty, any field is welcome.'
            : `${count(columns.length)} ${columns.length === 1 ? 'column' : 'columns'}. A batch with another field is rejected.`
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={wrongColumns}
        classNames={{ input: 'mono' }}
        rows={4}
        spellCheck={false}
      />
      <Switch
        label="Know a batch by its body"
        description="For senders without a batch id: the same body again is a replay and adds nothing."
        checked={isByBody}
        onChange={(event) => setByBody(event.currentTarget.checked)}
      />
      {create.error ? (
        <p className="new-stream-fault bad-text" role="alert">
          {faultOf(create.error).message}{' '}
          <span className="ink-2">{faultOf(create.error).hint}</span>
        </p>
      ) : null}
      <div className="new-stream-buttons">
        <Button variant="default" onClick={onClose} rightSection={<Key>Esc</Key>}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={create.isPending}
          rightSection={<Key>{shownKeys('mod+Enter')}</Key>}
        >
          Create
        </Button>
      </div>
    </form>
  );
};
