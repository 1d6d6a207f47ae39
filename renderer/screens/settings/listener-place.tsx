// Owns changing where the engine listens: its address and port, with a restart of the engine. In the app alone.
// Never restarts by itself: the person presses the button.

import { Button, NumberInput, Select } from '@mantine/core';
import { useState } from 'react';
import { useEngine } from '../../app/live.ts';
import { bridge } from '../../bridge.ts';
import { Setting } from './setting.tsx';
import { useSaving } from './use-saving.ts';

const HERE = '127.0.0.1';
const EVERYWHERE = '0.0.0.0';

/** The address and port that the engine has, and another choice of them. */
export const ListenerPlace = ({
  host,
  port,
  tokenNeeded,
}: {
  host: string | null;
  port: number | null;
  tokenNeeded: boolean;
}) => {
  const [newHost, setHost] = useState(host ?? HERE);
  const [newPort, setPort] = useState<number | string>(port ?? '');
  const { save, ...saving } = useSaving();
  const isStarting = useEngine().state === 'starting';
  const isUsable = typeof newPort === 'number' && newPort >= 1 && newPort <= 65_535;
  const isOther = newHost !== host || newPort !== port;
  const choices = [
    { value: HERE, label: `This machine alone, ${HERE}` },
    { value: EVERYWHERE, label: `The network, ${EVERYWHERE}` },
  ];
  const known = choices.some(({ value }) => value === host) || host === null;
  const restart = (): void =>
    void save(async () => {
      const change = {
        ...(newHost === host ? {} : { host: newHost }),
        ...(newPort === port ? {} : { port: Number(newPort) }),
      };
      await bridge?.restartEngine(change);
    });
  return (
    <>
      <Setting
        name="Address"
        means={
          newHost !== host && newHost === EVERYWHERE
            ? 'Other machines will reach it. Every knowledgebase needs a token first; without one the engine does not start.'
            : tokenNeeded
              ? 'Other machines reach it, and every POST needs a token.'
              : 'Only programs on this machine reach it; no token is needed.'
        }
      >
        <Select
          aria-label="Address"
          w={232}
          value={newHost}
          onChange={(value) => setHost(value ?? HERE)}
          allowDeselect={false}
          data={known ? choices : [...choices, { value: host as string, label: host as string }]}
        />
      </Setting>
      <Setting
        name="Port"
        means="The engine starts again for another port or address; producers that send meanwhile cannot connect and send again."
        saving={saving}
      >
        <NumberInput
          aria-label="Port"
          w={80}
          value={newPort}
          onChange={setPort}
          min={1}
          max={65_535}
          allowDecimal={false}
          hideControls
        />
        <Button
          variant="default"
          disabled={!isUsable || !isOther || isStarting || saving.isSaving}
          onClick={restart}
        >
          Start again there
        </Button>
      </Setting>
    </>
  );
};
