// Owns making a token: its label, the stream it is for. The secret goes to who shows it, once.

import { Button, Select, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { TokenSummary } from '../../../core/model.ts';
import { api, client, queryClient } from '../../api.ts';
import { useEngine, useStreams } from '../../app/live.ts';
import { useSaving } from './use-saving.ts';

/** The form. */
export const NewToken = ({
  knowledgebase,
  onMade,
}: {
  knowledgebase: string;
  onMade: (token: TokenSummary, secret: string) => void;
}) => {
  const [label, setLabel] = useState('');
  const [stream, setStream] = useState<string | null>('');
  const streams = useStreams(knowledgebase) ?? [];
  const { save, fault, isSaving } = useSaving();
  const isAway = useEngine().state !== 'ready';
  const create = (event: FormEvent): void => {
    event.preventDefault();
    void save(async () => {
      const only = stream === '' ? null : stream;
      const made = await client.tokens.create({ knowledgebase, label: label.trim(), stream: only });
      onMade(made.token, made.secret);
      setLabel('');
      await queryClient.invalidateQueries({ queryKey: api.tokens.key() });
    });
  };
  return (
    <form className="settings-form" onSubmit={create}>
      <TextInput
        w={240}
        label="New token"
        description="A label says who uses it."
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
        error={fault}
        maxLength={80}
      />
      <Select
        w={200}
        label="For"
        description="One stream, or every stream."
        value={stream}
        onChange={setStream}
        allowDeselect={false}
        searchable={streams.length > 8}
        data={[
          { value: '', label: 'every stream' },
          ...streams.map((one) => ({ value: one.stream, label: one.stream })),
        ]}
      />
      <Button type="submit" variant="default" disabled={isAway || isSaving}>
        Make it
      </Button>
    </form>
  );
};
