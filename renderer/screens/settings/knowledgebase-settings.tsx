// Owns the settings of the knowledgebase that is shown. Each is saved as it is changed.

import { NumberInput, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, client, faultOf, queryClient } from '../../api.ts';
import { useEngine } from '../../app/live.ts';
import { bytes } from '../../ui/format.ts';
import { Loading, Strip } from '../../ui/parts.tsx';
import { Setting, SettingGroup } from './setting.tsx';
import { useSaving } from './use-saving.ts';

const LEAST_BODY = 1_024;
const MOST_BODY = 64_000_000;

/** The settings. */
export const KnowledgebaseSettings = ({ knowledgebase }: { knowledgebase: string }) => {
  const { data, error } = useQuery(
    api.knowledgebases.get.queryOptions({ input: { knowledgebase } }),
  );
  return (
    <SettingGroup id="this" title={`This knowledgebase: ${knowledgebase}`}>
      {data ? (
        <>
          <FirstPost knowledgebase={knowledgebase} isOn={data.createStreamsOnFirstPost} />
          <LargestBody knowledgebase={knowledgebase} size={data.maxBodyBytes} />
        </>
      ) : error ? (
        <Strip tone="bad" what={faultOf(error).message}>
          {faultOf(error).hint}
        </Strip>
      ) : (
        <Loading>Reading the settings</Loading>
      )}
    </SettingGroup>
  );
};

const renew = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: api.knowledgebases.get.key() });

const FirstPost = ({ knowledgebase, isOn }: { knowledgebase: string; isOn: boolean }) => {
  const { save, ...saving } = useSaving();
  const isAway = useEngine().state !== 'ready';
  const change = (createStreamsOnFirstPost: boolean): void =>
    void save(async () => {
      await client.knowledgebases.update({ knowledgebase, createStreamsOnFirstPost });
      await renew();
    });
  return (
    <Setting
      name="Streams by first POST"
      means="A POST to a stream that is not there makes it. Off: such a POST is answered 404."
      saving={saving}
    >
      <Switch
        aria-label="Streams by first POST"
        checked={isOn}
        disabled={isAway}
        onChange={(event) => {
          if (!saving.isSaving) change(event.currentTarget.checked);
        }}
      />
    </Setting>
  );
};

const LargestBody = ({ knowledgebase, size }: { knowledgebase: string; size: number }) => {
  const { save, ...saving } = useSaving();
  const [value, setValue] = useState<number | string>(size);
  const [wrong, setWrong] = useState<string | null>(null);
  const isAway = useEngine().state !== 'ready';
  useEffect(() => setValue(size), [size]);
  const keep = (): void => {
    const isUsable = typeof value === 'number' && value >= LEAST_BODY && value <= MOST_BODY;
    setWrong(isUsable ? null : 'From 1,024 to 64,000,000 bytes.');
    if (!isUsable || value === size) return;
    void save(async () => {
      await client.knowledgebases.update({ knowledgebase, maxBodyBytes: value });
      await renew();
    });
  };
  return (
    <Setting
      name="Largest body"
      means={`Bytes of one POST, unpacked, now ${bytes(size)}. A larger one is answered 413 and nothing of it lands.`}
      saving={{ ...saving, fault: wrong ?? saving.fault }}
    >
      <NumberInput
        aria-label="Largest body in bytes"
        w={140}
        value={value}
        onChange={setValue}
        onBlur={keep}
        onKeyDown={(event) => {
          if (event.key === 'Enter') keep();
        }}
        error={wrong !== null}
        thousandSeparator=","
        allowDecimal={false}
        allowNegative={false}
        hideControls
        suffix=" B"
        disabled={isAway}
      />
    </Setting>
  );
};
