// Owns the window when there is no knowledgebase at all: making the first.

import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, client, faultOf, queryClient } from '../api.ts';
import { Empty } from '../ui/parts.tsx';
import { chooseKnowledgebase } from './live.ts';

/** One sentence, one field, one button. */
export const FirstKnowledgebase = () => {
  const [id, setId] = useState('main');
  const [fault, setFault] = useState<string | null>(null);
  const create = async (): Promise<void> => {
    try {
      await client.knowledgebases.create({ id });
      chooseKnowledgebase(id);
      await queryClient.invalidateQueries({ queryKey: api.knowledgebases.key() });
    } catch (error) {
      setFault(faultOf(error).message);
    }
  };
  return (
    <Empty
      what="There is no knowledgebase yet"
      why="A knowledgebase is a folder: your streams, their files and their ledger. It can be copied and carried."
    >
      <form
        className="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <TextInput
          aria-label="Name of the knowledgebase"
          value={id}
          onChange={(event) => setId(event.currentTarget.value)}
          error={fault}
          data-autofocus
        />
        <Button type="submit">Make it</Button>
      </form>
    </Empty>
  );
};
