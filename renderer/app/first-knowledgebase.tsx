// Owns the window when there is no knowledgebase that can be shown: making the first, opening one that is elsewhere.

import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, client, faultOf, queryClient } from '../api.ts';
import { bridge } from '../bridge.ts';
import { Empty } from '../ui/parts.tsx';
import { chooseKnowledgebase, useKnowledgebase } from './live.ts';
import { OpenFolder } from './open-folder.tsx';

/** One sentence, one field, one button. */
export const FirstKnowledgebase = () => {
  const [id, setId] = useState('main');
  const [fault, setFault] = useState<string | null>(null);
  const gone = useKnowledgebase().list.filter((one) => one.fault !== null);
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
      <div className="first-open">
        <OpenFolder label={bridge ? 'Open a folder…' : 'Or open a folder'} isOnCommand />
      </div>
      {gone.map(({ id: name, path, fault: why }) => (
        <p key={name} className="small">
          <strong>{name}</strong> was at <span className="mono">{path}</span>. {why}
        </p>
      ))}
    </Empty>
  );
};
