// Owns a stream that nothing has landed in: what to send, ready to copy. Never sends anything.

import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { useShortcuts } from '../../app/keys.ts';
import { Empty, Key, Marked } from '../../ui/parts.tsx';
import { useIngestAddress } from './settings-tab.tsx';

/** What to do with an empty stream. */
export const EmptyStream = ({
  knowledgebase,
  stream,
}: {
  knowledgebase: string;
  stream: string;
}) => {
  const address = useIngestAddress(knowledgebase, stream);
  const [isCopied, setCopied] = useState(false);
  const command = `curl ${address ?? ''} \\
  -H 'Content-Type: application/x-ndjson' \\
  -H 'Idempotency-Key: ${stream}-1' \\
  --data-binary '{"ts":"2026-07-12T14:02:00Z","sensor_id":"sensor-001","celsius":"21.40"}'`;
  const copy = (): void => {
    if (address === null) return;
    void navigator.clipboard.writeText(command).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), 1_500);
    });
  };
  useShortcuts({ c: copy });
  return (
    <Empty
      what="Nothing has landed yet"
      why="Send one batch to the address below. It is on disk when you get the answer, and you can query it at once."
    >
      {address === null ? (
        <p>The engine is not listening, so there is no address now.</p>
      ) : (
        <>
          <div className="command">
            <div className="command-head">
              <span className="strong">curl</span>
              <Button leftSection={<IconCopy size={14} stroke={1.6} />} onClick={copy}>
                {isCopied ? 'Copied' : 'Copy'} <Key>C</Key>
              </Button>
            </div>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long command scrolls by keys. */}
            <pre tabIndex={0}>{command}</pre>
          </div>
          <Marked mark="new">
            Waiting for the first batch of <strong>{stream}</strong>
          </Marked>
        </>
      )}
    </Empty>
  );
};
