// Owns the list of all knowledgebases, opening the folder of another, making a new one.
// Never removes a folder: it is the person's.

import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api, client, queryClient } from '../../api.ts';
import { useEngine, useKnowledgebase } from '../../app/live.ts';
import { OpenFolder } from '../../app/open-folder.tsx';
import { bridge } from '../../bridge.ts';
import { KnowledgebaseRow } from './knowledgebase-row.tsx';
import { SettingGroup } from './setting.tsx';
import { useSaving } from './use-saving.ts';

/** The knowledgebases. */
export const KnowledgebaseList = ({ knowledgebase }: { knowledgebase: string }) => {
  const { list } = useKnowledgebase();
  return (
    <SettingGroup id="knowledgebases" title="Knowledgebases">
      <p className="setting-lead small ink-2">
        Taking one off the list touches nothing on disk. Producers that send to it are answered 404
        until its folder is opened again.
      </p>
      <ul className="setting-list" aria-label="Knowledgebases">
        {list.map((summary) => (
          <KnowledgebaseRow
            key={summary.id}
            summary={summary}
            isShown={summary.id === knowledgebase}
          />
        ))}
      </ul>
      <div className="setting-open">
        <OpenFolder label={bridge ? 'Open a folder…' : 'Open a folder'} isOnCommand />
      </div>
      <NewKnowledgebase />
    </SettingGroup>
  );
};

const NewKnowledgebase = () => {
  const [id, setId] = useState('');
  const { save, fault, isSaving } = useSaving();
  const isAway = useEngine().state !== 'ready';
  const create = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const made = await save(async () => {
      await client.knowledgebases.create({ id: id.trim() });
      await queryClient.invalidateQueries({ queryKey: api.knowledgebases.key() });
    });
    if (made) setId('');
  };
  return (
    <form className="settings-form" onSubmit={(event) => void create(event)}>
      <TextInput
        w={480}
        label="New knowledgebase"
        description="A folder of this name in the home. Letters, digits, _ and -."
        value={id}
        onChange={(event) => setId(event.currentTarget.value)}
        error={fault}
        maxLength={63}
      />
      <Button type="submit" variant="default" disabled={isAway || isSaving || id.trim() === ''}>
        Make it
      </Button>
    </form>
  );
};
