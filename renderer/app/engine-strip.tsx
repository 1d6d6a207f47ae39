// Owns what stands above the work while the engine is away: what happened, what is safe, what to do.

import { Button, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { bridge } from '../bridge.ts';
import { clock } from '../ui/format.ts';
import { Strip } from '../ui/parts.tsx';
import { useEngine } from './live.ts';

/** The strip; nothing while the engine is well. */
export const EngineStrip = () => {
  const engine = useEngine();
  switch (engine.state) {
    case 'ready':
    case 'starting':
      return null;
    case 'stopped':
      return (
        <Strip tone="bad" what={`The engine stopped at ${clock(engine.at)} and is starting again.`}>
          Attempt {engine.attempt}. Every batch that was answered 200 is on disk. Producers cannot
          connect now and will send again. What you see is as it was at {clock(engine.at)}.
        </Strip>
      );
    case 'failed':
      return (
        <Strip
          tone="bad"
          what={engine.message}
          actions={bridge ? <WayOut code={engine.code} /> : null}
        >
          {engine.hint}
        </Strip>
      );
  }
};

/** What can be done here about why the engine did not start. */
const WayOut = ({ code }: { code: string }) => {
  if (code === 'port_taken') return <OtherPort />;
  if (code !== 'token_required') return null;
  return (
    <Button onClick={() => void bridge?.restartEngine({ host: '127.0.0.1' })}>
      Listen on this machine alone
    </Button>
  );
};

const OtherPort = () => {
  const [port, setPort] = useState<number | string>(7433);
  return (
    <>
      <NumberInput
        aria-label="Port"
        value={port}
        onChange={setPort}
        min={1}
        max={65_535}
        w={90}
        hideControls
      />
      <Button onClick={() => void bridge?.restartEngine({ port: Number(port) })}>
        Use this port
      </Button>
    </>
  );
};
