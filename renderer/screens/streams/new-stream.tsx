// Owns the dialog that makes a stream, and a token for it. Never closes on a fault: what was typed stays.

import { Button, Modal, Switch, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { api, client, faultOf, queryClient } from '../../api.ts';
import { shownKeys } from '../../app/keys.ts';
import { useStreams } from '../../app/live.ts';
import { count } from '../../ui/format.ts';
import { Key } from '../../ui/parts.tsx';
import './new-stream.css';
import { NewToken } from './new-token.tsx';
import { columnsFault, columnsOf, idFault } from './stream-input.ts';

interface NewStreamProps {
  readonly knowledgebase: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onMade: (stream: string) => void;
}

/** The dialog. */
export const NewStream = ({ isOpen, onClose, onMade, knowledgebase }: NewStreamProps) => {
  const [made, setMade] = useState<Made | null>(null);
  const end = (): void => {
    onClose();
    if (made) onMade(made.stream);
    setMade(null);
  };
  return (
    // A token that is shown this once is not lost by a click beside the dialog.
    <Modal opened={isOpen} onClose={end} title="New stream" closeOnClickOutside={made === null}>
      {made ? (
        <NewToken {...made} onDone={end} />
      ) : (
        <Form
          knowledgebase={knowledgebase}
          onClose={onClose}
          onMade={(stream, secret) => {
            if (secret !== null) return setMade({ stream, secret });
            onClose();
            onMade(stream);
          }}
        />
      )}
    </Modal>
  );
};

/** A stream that was made, and the secret of its token. */
interface Made {
  readonly stream: string;
  readonly secret: string;
}

/** Codes of the engine that are about one field. */
const OF_ID = ['stream_exists', 'invalid_stream_id'];
const OF_COLUMNS = [
  'invalid_column_name',
  'column_case_conflict',
  'too_many_columns',
  'no_columns',
];

const Form = ({
  knowledgebase,
  onClose,
  onMade,
}: {
  knowledgebase: string;
  onClose: () => void;
  onMade: (stream: string, secret: string | null) => void;
}) => {
  const [id, setId] = useState('');
  const [text, setText] = useState('');
  const [isByBody, setByBody] = useState(false);
  const [isByDay, setByDay] = useState(false);
  const [wantsToken, setWantsToken] = useState(false);
  // Made, though its token failed: trying again makes the token alone.
  const [made, setMade] = useState<string | null>(null);
  const [isTried, setTried] = useState(false);
  const taken = (useStreams(knowledgebase) ?? []).map(({ stream }) => stream);
  const columns = columnsOf(text);
  const wrongId = made === null ? idFault(id, taken) : null;
  const wrongColumns = columnsFault(columns);
  const create = useMutation({
    mutationFn: async () => {
      const terms = { columns, recogniseEqualBodies: isByBody, dateFolders: isByDay };
      const stream =
        made ?? (await client.streams.create({ knowledgebase, stream: id, ...terms })).stream;
      setMade(stream);
      await queryClient.invalidateQueries({ queryKey: api.streams.list.key() });
      if (!wantsToken) return { stream, secret: null };
      const { secret } = await client.tokens.create({ knowledgebase, stream, label: 'first' });
      await queryClient.invalidateQueries({ queryKey: api.tokens.key() });
      return { stream, secret };
    },
    onSuccess: ({ stream, secret }) => onMade(stream, secret),
  });
  const fault = create.error ? faultOf(create.error) : null;
  const said = fault === null ? '' : `${fault.message} ${fault.hint}`;
  const [ofId, ofColumns] = [OF_ID, OF_COLUMNS].map((codes) => codes.includes(fault?.code ?? ''));
  const submit = (): void => {
    setTried(true);
    if (wrongId !== null || wrongColumns !== null || create.isPending) return;
    create.mutate();
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
        onChange={(event) => {
          setId(event.currentTarget.value);
          create.reset();
        }}
        disabled={made !== null}
        error={shownFault ?? (ofId ? said : null)}
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
        onChange={(event) => {
          setText(event.currentTarget.value);
          create.reset();
        }}
        disabled={made !== null}
        error={wrongColumns ?? (ofColumns ? said : null)}
        classNames={{ input: 'mono' }}
        rows={4}
        spellCheck={false}
      />
      <Switch
        label="Know a batch by its body"
        description="For senders without a batch id: the same body again is a replay and adds nothing."
        checked={isByBody}
        disabled={made !== null}
        onChange={(event) => setByBody(event.currentTarget.checked)}
      />
      <Switch
        label="A folder for each day"
        description="Batches land in data/dt=YYYY-MM-DD/, by the day (UTC) they land on, so that a day can be copied or carried away. Queries read all days as one."
        checked={isByDay}
        disabled={made !== null}
        onChange={(event) => setByDay(event.currentTarget.checked)}
      />
      <Switch
        label="Make a token"
        description="It is shown once, next. From then on every producer of this stream needs one, on this machine too."
        checked={wantsToken}
        onChange={(event) => setWantsToken(event.currentTarget.checked)}
      />
      {fault && !ofId && !ofColumns ? (
        <p className="new-stream-fault bad-text" role="alert">
          {made === null ? '' : `${made} is made, its token is not. `}
          {fault.message} <span className="ink-2">{fault.hint}</span>
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
          {made === null ? 'Create' : 'Make the token'}
        </Button>
      </div>
    </form>
  );
};
