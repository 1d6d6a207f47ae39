// Owns saving the query under a name: at once where it has one, else asking for it.
// Never saves over another query without saying so.

import { Button, Popover, TextInput } from '@mantine/core';
import { IconBookmark } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, client, faultOf, queryClient } from '../../api.ts';
import { useShortcuts } from '../../app/keys.ts';
import { isChanged, type OpenQuery } from './open-queries.ts';

interface SaveQueryProps {
  readonly knowledgebase: string;
  readonly tab: OpenQuery;
  readonly isOff: boolean;
  readonly onSaved: (name: string, sql: string) => void;
}

/** The button; Ctrl S does the same. */
export const SaveQuery = ({ knowledgebase, tab, isOff, onSaved }: SaveQueryProps) => {
  const [isAsking, setAsking] = useState(false);
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const { data: saved } = useQuery(api.query.saved.queryOptions({ input: { knowledgebase } }));
  const isTaken = saved?.some((one) => one.name === name.trim() && one.name !== tab.name) ?? false;
  const cannot = isOff || tab.sql.trim() === '' || (tab.name !== null && !isChanged(tab));

  const save = async (as: string): Promise<void> => {
    try {
      await client.query.save({ knowledgebase, name: as, sql: tab.sql });
      onSaved(as, tab.sql);
      setAsking(false);
      setFault(null);
      await queryClient.invalidateQueries({ queryKey: api.query.saved.key() });
    } catch (error) {
      setFault(faultOf(error).message);
      setName(as);
      setAsking(true);
    }
  };
  const begin = (): void => {
    if (cannot) return;
    if (tab.name !== null) void save(tab.name);
    else setAsking(true);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') void save(name.trim());
  };
  useShortcuts({ 'mod+s': begin });
  return (
    <Popover
      opened={isAsking}
      onChange={setAsking}
      position="bottom-end"
      width={280}
      trapFocus
      returnFocus
      transitionProps={{ duration: 140 }}
    >
      <Popover.Target>
        <Button
          className="tool-button"
          variant="subtle"
          color="gray"
          disabled={cannot}
          leftSection={<IconBookmark size={16} stroke={1.6} />}
          onClick={begin}
        >
          {tab.name !== null && !isChanged(tab) ? 'Saved' : 'Save'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Save the query">
        <form className="save-form" onSubmit={submit}>
          <TextInput
            label="Name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={fault}
            maxLength={120}
            data-autofocus
          />
          {isTaken ? (
            <p className="ink-2 small">A query of this name is there; it is replaced.</p>
          ) : null}
          <div className="save-foot">
            <Button variant="default" onClick={() => setAsking(false)}>
              Keep unsaved
            </Button>
            <Button type="submit" disabled={name.trim() === ''}>
              {isTaken ? 'Replace' : 'Save'}
            </Button>
          </div>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
};
