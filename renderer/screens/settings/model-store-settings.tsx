// Owns where the model of this knowledgebase is kept: nowhere, in it, or in a PostgreSQL that a team shares.
// Never shows a password, and never moves a model from one store to another.

import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { StoreStatus } from '../../../core/model.ts';
import { api, client, faultOf, queryClient } from '../../api.ts';
import { useEngine } from '../../app/live.ts';
import { Loading, Strip } from '../../ui/parts.tsx';
import { Setting, SettingGroup } from './setting.tsx';
import { putTogether, takeApart } from './store-address.ts';
import { useSaving } from './use-saving.ts';

const KINDS = [
  { value: 'sqlite', label: 'Here' },
  { value: 'postgres', label: 'PostgreSQL' },
  { value: 'none', label: 'None' },
];

const MEANS: Readonly<Record<StoreStatus['kind'], string>> = {
  sqlite: 'In the ledger of this knowledgebase, each version copied to its folder.',
  postgres: 'A team shares one model: one promotion at a time, each app with its own views.',
  none: 'Streams stay raw. They land and can be queried; nothing can be promoted.',
};

/** The store. The words follow what is saved, never what is being saved. */
export const ModelStoreSettings = ({ knowledgebase }: { knowledgebase: string }) => {
  const { data, error } = useQuery(api.ontology.store.queryOptions({ input: { knowledgebase } }));
  return (
    <SettingGroup id="model" title="Model store">
      {data ? (
        <Store knowledgebase={knowledgebase} status={data} />
      ) : error ? (
        <Strip tone="bad" what={faultOf(error).message}>
          {faultOf(error).hint}
        </Strip>
      ) : (
        <Loading>Asking the store</Loading>
      )}
    </SettingGroup>
  );
};

const Store = ({ knowledgebase, status }: { knowledgebase: string; status: StoreStatus }) => {
  const { save, ...saving } = useSaving();
  /** What was chosen and is not saved yet. */
  const [asked, setAsked] = useState<StoreStatus['kind'] | null>(null);
  const kind = asked ?? status.kind;
  const isAway = useEngine().state !== 'ready';
  const keep = async (store: string, model?: string | null): Promise<boolean> => {
    const isKept = await save(async () => {
      await client.ontology.setStore({
        ...{ knowledgebase, store },
        ...(model === undefined ? {} : { model }),
      });
      await queryClient.invalidateQueries({ queryKey: api.ontology.key() });
    });
    if (isKept) setAsked(null);
    return isKept;
  };
  const choose = async (next: StoreStatus['kind']): Promise<void> => {
    setAsked(next);
    // A shared store is saved when its address is known.
    if (next === 'postgres') return;
    if (!(await keep(next))) setAsked(null);
  };
  return (
    <>
      <Setting
        name="Where the model is kept"
        means={`${MEANS[status.kind]} Versions stay in the store that they are in.`}
        saving={saving}
      >
        <SegmentedControl
          aria-label="Where the model is kept"
          value={kind}
          onChange={(next) => {
            if (!saving.isSaving) void choose(next as StoreStatus['kind']);
          }}
          disabled={isAway}
          data={KINDS}
        />
      </Setting>
      {status.fault === null ? null : (
        <Strip tone="bad" what={status.fault}>
          The views that are made stay, and raw streams can be queried.
        </Strip>
      )}
      {kind === 'postgres' && status.kind !== 'postgres' ? (
        <p className="setting-lead small ink-2">{MEANS.postgres} It is kept with its address.</p>
      ) : null}
      {kind === 'postgres' ? (
        <Shared status={status} isOff={isAway || saving.isSaving} onSave={keep} />
      ) : null}
    </>
  );
};

const Shared = ({
  status,
  isOff,
  onSave,
}: {
  status: StoreStatus;
  isOff: boolean;
  onSave: (store: string, model: string | null) => Promise<boolean>;
}) => {
  const [address, setAddress] = useState(status.address ?? '');
  const [password, setPassword] = useState('');
  const [model, setModel] = useState(status.model ?? '');
  const [wrong, setWrong] = useState<string | null>(null);
  const write = (text: string): void => {
    const parts = takeApart(text);
    setAddress(parts?.address ?? text);
    if (parts && parts.password !== '') setPassword(parts.password);
    setWrong(null);
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const store = putTogether(address, password);
    if (store === null) setWrong('As postgresql://user@host:5432/database.');
    else if (await onSave(store, model.trim() || null)) setPassword('');
  };
  return (
    <form className="settings-form" onSubmit={(event) => void submit(event)}>
      <TextInput
        w={320}
        label="Address"
        description="postgresql://user@host/database"
        value={address}
        onChange={(event) => write(event.currentTarget.value)}
        error={wrong}
        classNames={{ input: 'mono' }}
        autoComplete="off"
        spellCheck={false}
        maxLength={1_800}
      />
      <TextInput
        w={180}
        type="password"
        label="Password"
        description="Or PGPASSWORD, or ~/.pgpass"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        placeholder={status.kind === 'postgres' ? 'give it again to change' : ''}
        autoComplete="off"
      />
      <TextInput
        w={140}
        label="Model"
        description="Its name in the store"
        value={model}
        onChange={(event) => setModel(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        maxLength={63}
      />
      <Button type="submit" variant="default" disabled={isOff || address.trim() === ''}>
        Save
      </Button>
    </form>
  );
};
