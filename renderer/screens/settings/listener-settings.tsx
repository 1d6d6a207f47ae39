// Owns what there is to know of the listener: its address, port and limits; another port where there is a shell.

import { Button, NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../api.ts';
import { useEngine } from '../../app/live.ts';
import { bridge } from '../../bridge.ts';
import { bytes, count } from '../../ui/format.ts';
import { CopyButton } from '../../ui/parts.tsx';
import { Setting, SettingGroup } from './setting.tsx';
import { useSaving } from './use-saving.ts';

/** The listener. */
export const ListenerSettings = ({ knowledgebase }: { knowledgebase: string }) => {
  const { data: status } = useQuery(api.engine.status.queryOptions());
  const { data: view } = useQuery(
    api.knowledgebases.get.queryOptions({ input: { knowledgebase } }),
  );
  const url = status?.ingestUrl ?? null;
  const address = url === null ? null : new URL(url);
  const isLoopback = /^(127\.|localhost$|\[::1\]$)/.test(address?.hostname ?? '');
  const post = `${url ?? ''}/knowledgebase/${knowledgebase}/strata/ingest/`;
  return (
    <SettingGroup id="listener" title="Listener">
      <Setting
        name="Address"
        means={
          url === null
            ? 'The engine does not listen.'
            : isLoopback
              ? 'Only programs on this machine reach it; no token is needed.'
              : 'Programs on the network reach it; a token is needed.'
        }
      >
        <span className="mono">{address?.hostname ?? '–'}</span>
      </Setting>
      {bridge ? (
        <OtherPort port={Number(address?.port ?? 0)} />
      ) : (
        <Setting name="Port" means="Set by --port where the engine was started.">
          <span className="mono">{address?.port ?? '–'}</span>
        </Setting>
      )}
      {url === null ? null : (
        <Setting name="POST to" means="The stream's name stands at its end.">
          <span className="mono setting-post">{post}</span>
          <CopyButton text={post} label="Copy the address for POST" />
        </Setting>
      )}
      <Setting
        name="Limits"
        means="What a batch may be. Beyond a limit nothing of the batch lands, and the answer names the limit."
      >
        <span className="setting-limits small">
          {view ? <span>body {bytes(view.maxBodyBytes)}</span> : null}
          <span>{count(2_000)} columns a stream</span>
          <span>64 levels in a value</span>
          <span>batch id of 128 characters</span>
        </span>
      </Setting>
    </SettingGroup>
  );
};

const OtherPort = ({ port }: { port: number }) => {
  const [value, setValue] = useState<number | string>(port);
  const { save, ...saving } = useSaving();
  const isStarting = useEngine().state === 'starting';
  useEffect(() => setValue(port), [port]);
  const isUsable = typeof value === 'number' && value >= 1 && value <= 65_535;
  const restart = (): void =>
    void save(async () => {
      await bridge?.restartEngine({ port: Number(value) });
    });
  return (
    <Setting
      name="Port"
      means="Another port starts the engine again; producers that send meanwhile cannot connect and send again."
      saving={saving}
    >
      <NumberInput
        aria-label="Port"
        w={80}
        value={value}
        onChange={setValue}
        min={1}
        max={65_535}
        allowDecimal={false}
        hideControls
      />
      <Button
        variant="default"
        disabled={!isUsable || value === port || isStarting || saving.isSaving}
        onClick={restart}
      >
        Use this port
      </Button>
    </Setting>
  );
};
