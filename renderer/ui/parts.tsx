// Owns the small parts that every screen uses: heads, strips, empty states, facts, keys, copying.
// Knows nothing of streams or batches.

import { ActionIcon, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useBriefly } from './briefly.ts';
import { Mark, type MarkName } from './mark.tsx';
import './parts.css';

/** A key as it stands on buttons and in lists. */
export const Key = ({ children }: { children: ReactNode }) => <kbd className="key">{children}</kbd>;

/** The head of a screen: title, what it has, tools at the right. */
export const Head = ({
  title,
  facts,
  children,
}: {
  title: ReactNode;
  facts?: ReactNode;
  children?: ReactNode;
}) => (
  <header className="head">
    <h1 className="head-title">{title}</h1>
    {facts ? <span className="small ink-2 cut">{facts}</span> : null}
    <span className="grow" />
    {children}
  </header>
);

/** A strip above the work: what happened, what is safe, what to do. */
export const Strip = ({
  tone,
  what,
  children,
  actions,
}: {
  tone: 'warn' | 'bad';
  what: string;
  children?: ReactNode;
  actions?: ReactNode;
}) => (
  <div className={`strip strip-${tone}`} role="alert">
    <Mark name={tone === 'bad' ? 'error' : 'lagging'} />
    <div className="grow">
      <strong>{what}</strong> <span className="ink-2">{children}</span>
    </div>
    {actions}
  </div>
);

/** An empty screen or list: one sentence, one reason, the next step. */
export const Empty = ({
  what,
  why,
  children,
}: {
  what: string;
  why?: ReactNode;
  children?: ReactNode;
}) => (
  <div className="empty">
    <h2>{what}</h2>
    {why ? <p>{why}</p> : null}
    {children}
  </div>
);

/** Words while something loads; nothing for the first 300 ms, by style. */
export const Loading = ({ children }: { children: ReactNode }) => (
  <div className="loading" role="status">
    <Mark name="running" />
    {children}
  </div>
);

/** A section of a side panel. */
export const Section = ({
  title,
  aside,
  children,
}: {
  title: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}) => (
  <section className="section">
    <div className="section-head">
      <h3>{title}</h3>
      {aside ? <span className="small ink-2">{aside}</span> : null}
    </div>
    {children}
  </section>
);

/** Facts as name and value, one a line. */
export const Facts = ({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) => (
  <dl className="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** A tag: a word on a tint. */
export const Tag = ({
  tone,
  children,
}: {
  tone?: 'ok' | 'warn' | 'bad' | 'accent';
  children: ReactNode;
}) => <span className={`tag ${tone ? `tag-${tone}` : ''}`}>{children}</span>;

/** A word with its mark. */
export const Marked = ({ mark, children }: { mark: MarkName; children: ReactNode }) => (
  <span className="marked">
    <Mark name={mark} />
    {children}
  </span>
);

/** Copies a text; says so for a moment. */
export const CopyButton = ({ text, label }: { text: string; label: string }) => {
  const [copied, say] = useBriefly();
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => say('Copied'));
  };
  return (
    <Tooltip label={copied ?? label}>
      <ActionIcon variant="subtle" color="gray" size={24} aria-label={label} onClick={copy}>
        {copied ? <IconCheck size={16} stroke={1.6} /> : <IconCopy size={16} stroke={1.6} />}
      </ActionIcon>
    </Tooltip>
  );
};
