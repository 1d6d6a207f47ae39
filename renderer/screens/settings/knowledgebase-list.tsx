// Owns the list of all knowledgebases: choosing one, showing its folder, making another.
// Never removes one: its folder is the person's.

import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api, client, queryClient } from '../../api.ts';
import { chooseKnowledgebase, useEngine, useKnowledgebase } from '../../app/live.ts';
import { bridge } from '../../bridge.ts';
import { count } from '../../ui/format.ts';
import { Mark } from '../../ui/mark.tsx';
import { CopyButton } from '../../ui/parts.tsx';
import { SettingGroup } from './setting.tsx';
import { useSaving } from './use-saving.ts';

/** The knowledgebases. */
export const KnowledgebaseList = ({ knowledgebase }: { knowledgebase: string }) => {
  const { list } = useKnowledgebase();
  const isAway = useEngine().state !== 'ready';
  return (
    <SettingGroup id="knowledgebases" title="Knowledgebases">
      <ul className="setting-list" aria-label="Knowledgebases">
        {list.map(({ id, path, streams, fault }) => (
          <li key={id}>
            <Mark
              name={fault !== null ? 'error' : id === knowledgebase ? 'landed' : 'idle'}
              label={
                fault !== null ? 'cannot be opened' : id === knowledgebase ? 'shown' : 'not shown'
              }
            />
            <span className="setting-list-words">
              <span className="strong cut">{id}</span>
              {fault === null ? (
                <span className="mono cut ink-2" title={path}>
                  {path}
                </span>
              ) : (
                <span className="small bad-text">{fault}</span>
              )}
            </span>
            <span className="small ink-2 setting-list-fact">
              {fault === null ? `${count(streams)} ${streams === 1 ? 'stream' : 'streams'}` : ''}
            </span>
            <CopyButton text={path} label={`Copy the path of ${id}`} />
            {bridge ? (
              <Button variant="default" onClick={() => void bridge?.reveal(path)}>
                Reveal
              </Button>
            ) : null}
            <Button
              variant="default"
              disabled={isAway || fault !== null || id === knowledgebase}
              aria-label={id === knowledgebase ? `${id} is shown` : `Show ${id}`}
              onClick={() => chooseKnowledgebase(id)}
            >
              {id === knowledgebase ? 'Shown' : 'Show'}
            </Button>
          </li>
        ))}
      </ul>
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
        w={360}
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
