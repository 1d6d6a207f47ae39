// Owns the page of a stream that waits for its first batch: what to copy for each tool, the limits, the answers.
// Never sends anything itself.

import { Button, Tabs } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api.ts';
import { useBriefly } from '../ui/briefly.ts';
import { bytes } from '../ui/format.ts';
import { Key, Loading } from '../ui/parts.tsx';
import { FirstBatch } from './first-batch.tsx';
import { useShortcuts } from './keys.ts';
import { addressOf, piecesOf, SHIPPERS, type Shipper, type Target } from './shippers.ts';
import './shippers.css';

interface ShippersProps {
  readonly knowledgebase: string;
  readonly stream: string;
  /** Registered columns, so that the sample lands. */
  readonly columns?: readonly string[] | null;
}

/** Commands and configurations of every tool, with this listener's address, and the wait for the first batch. */
export const Shippers = ({ knowledgebase, stream, columns = null }: ShippersProps) => {
  const target = useTarget(knowledgebase, stream, columns);
  if (target === undefined) return <Loading>Asking the engine where it listens</Loading>;
  if (target === null) {
    return (
      <p className="shippers-away">
        The engine is not listening, so nothing can be sent. Settings has the listener’s port.
      </p>
    );
  }
  return (
    <div className="shippers">
      <Texts target={target} />
      <div className="shippers-wait">
        <FirstBatch knowledgebase={knowledgebase} stream={stream} />
        <span className="small ink-2" title={addressOf(target)}>
          up to {bytes(target.maxBodyBytes)} a batch,{' '}
          {target.needsToken ? 'token needed' : 'no token needed'}
        </span>
      </div>
      <Answers />
    </div>
  );
};

/** Where batches go; null when nothing listens, undefined while it is not known. */
const useTarget = (
  knowledgebase: string,
  stream: string,
  columns: readonly string[] | null,
): Target | null | undefined => {
  const { data: status } = useQuery(api.engine.status.queryOptions());
  const { data: settings } = useQuery(
    api.knowledgebases.get.queryOptions({ input: { knowledgebase } }),
  );
  const { data: tokens } = useQuery(api.tokens.list.queryOptions({ input: { knowledgebase } }));
  if (!status || !settings || !tokens) return undefined;
  if (status.ingestUrl === null) return null;
  const needsToken = tokens.some(
    (token) => token.stream === null || token.stream.toLowerCase() === stream.toLowerCase(),
  );
  const { ingestUrl } = status;
  return { ingestUrl, knowledgebase, stream, columns, needsToken, ...pick(settings) };
};

const pick = ({ maxBodyBytes }: { maxBodyBytes: number }) => ({ maxBodyBytes });

/** A tab's value becomes part of an id, which has no space. */
const tabOf = (name: string): string => name.replaceAll(' ', '-').toLowerCase();

const FIRST = navigator.platform.startsWith('Win') ? 'powershell' : 'curl';

const Texts = ({ target }: { target: Target }) => {
  const [tab, setTab] = useState(FIRST);
  const shipper = SHIPPERS.find((one) => tabOf(one.name) === tab) as Shipper;
  return (
    <>
      <Tabs value={tab} onChange={(next) => setTab(next ?? FIRST)} className="shippers-box">
        <div className="shippers-tabs">
          <Tabs.List aria-label="What sends the batches">
            {SHIPPERS.map((one) => (
              <Tabs.Tab key={one.name} value={tabOf(one.name)}>
                {one.name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <span className="grow" />
          <Copy key={tab} text={shipper.text(target)} />
        </div>
        {SHIPPERS.map((one) => (
          <Tabs.Panel key={one.name} value={tabOf(one.name)}>
            <Code text={one.text(target)} stream={target.stream} />
          </Tabs.Panel>
        ))}
      </Tabs>
      <p className="shippers-note small ink-2">{shipper.note(target)}</p>
    </>
  );
};

const Code = ({ text, stream }: { text: string; stream: string }) => {
  const pieces = piecesOf(text, stream);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <pre className="shippers-code" tabIndex={0}>
      {pieces.map((piece, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces never move.
        <span key={at} className={`code-${piece.kind}`}>
          {piece.text}
        </span>
      ))}
    </pre>
  );
};

const Copy = ({ text }: { text: string }) => {
  const [copied, say] = useBriefly();
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => say('Copied'));
  };
  useShortcuts({ c: copy });
  return (
    <Button
      className="shippers-copy"
      onClick={copy}
      leftSection={
        copied ? <IconCheck size={14} stroke={1.6} /> : <IconCopy size={14} stroke={1.6} />
      }
      rightSection={<Key>C</Key>}
    >
      {copied ?? 'Copy'}
    </Button>
  );
};

const ANSWERS = [
  ['200', 'landed, on disk'],
  ['400', 'rejected, kept with its reason'],
  ['429', 'too much at once, send again'],
  ['507', 'disk full, send again'],
] as const;

const Answers = () => (
  <dl className="shippers-answers">
    {ANSWERS.map(([code, words]) => (
      <div key={code}>
        <dt className="mono">{code}</dt>
        <dd className="small ink-2">{words}</dd>
      </div>
    ))}
  </dl>
);
