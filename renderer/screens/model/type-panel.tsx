// Owns one type of the live model: attributes, links, where it comes from, evidence, sample rows, the SQL of its view.
// Never changes it: promoting does.

import { ActionIcon, Button } from '@mantine/core';
import { IconKey, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Attribute, Model, ObjectType, TypeDetail } from '../../../core/model.ts';
import { api, faultOf } from '../../api.ts';
import { go } from '../../app/router.ts';
import { count } from '../../ui/format.ts';
import { Facts, Loading, Section, Strip } from '../../ui/parts.tsx';
import { typeWord } from './graph-data.ts';
import { SqlBlock } from './plan-foot.tsx';
import { SampleTable } from './sample-table.tsx';
import './type-panel.css';
import { evidenceOf, selectOf } from './type-words.ts';

interface TypePanelProps {
  readonly knowledgebase: string;
  readonly model: Model;
  readonly type: ObjectType;
  readonly onType: (id: string) => void;
  readonly onClose: () => void;
  /** A way back to the plan, where one is open. */
  readonly children?: ReactNode;
}

/** The panel. */
export const TypePanel = (props: TypePanelProps) => {
  const { knowledgebase, type, onClose, children } = props;
  const { data, error } = useQuery(
    api.ontology.type.queryOptions({ input: { knowledgebase, type: type.id } }),
  );
  return (
    <aside className="panel model-panel" aria-label={type.name}>
      <header className="panel-head plan-title">
        <h2 className="cut">{type.name}</h2>
        <span className="small ink-2 grow cut">
          {type.kind}
          {data?.rows == null ? '' : `, ${count(data.rows)} ${data.rows === 1 ? 'row' : 'rows'}`}
        </span>
        <Button
          variant="default"
          h={24}
          px={8}
          onClick={() => go({ screen: 'query', sql: selectOf(type) })}
        >
          Query it
        </Button>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          aria-label="Close the type"
          onClick={onClose}
        >
          <IconX size={16} stroke={1.6} />
        </ActionIcon>
      </header>
      <div className="plan-scroll">
        {children}
        {data?.fault ? (
          <Strip tone="bad" what="Its view cannot be read.">
            {data.fault} The raw streams can still be queried.
          </Strip>
        ) : null}
        <Attributes type={type} />
        <LinkFacts {...props} detail={data} />
        <Section title="Why it is a type">
          {type.why.map((line) => (
            <p key={line} className="plan-note">
              {line}
            </p>
          ))}
          {type.repeated > 0 ? (
            <p className="plan-note">
              {count(type.repeated)} keys stood in more than one row when it was promoted.
            </p>
          ) : null}
          {data?.conflicts == null || data.conflicts === 0 ? null : (
            <p className="plan-note">
              {count(data.conflicts)} {data.conflicts === 1 ? 'key has' : 'keys have'} rows that
              disagree now; the one that landed last wins.
            </p>
          )}
        </Section>
        {data ? (
          <Live detail={data} />
        ) : error ? (
          <Strip tone="bad" what={faultOf(error).message}>
            {faultOf(error).hint}
          </Strip>
        ) : (
          <Loading>Reading {type.name}</Loading>
        )}
      </div>
    </aside>
  );
};

const Attributes = ({ type }: { type: ObjectType }) => (
  <Section title="Attributes" aside={count(type.attributes.length)}>
    <ul className="type-attributes">
      {type.attributes.map((attribute) => (
        <AttributeLine
          key={attribute.name}
          attribute={attribute}
          isKey={type.key.includes(attribute.name)}
        />
      ))}
    </ul>
  </Section>
);

const AttributeLine = ({ attribute, isKey }: { attribute: Attribute; isKey: boolean }) => {
  const { name, type, unit, role, sources, evidence } = attribute;
  return (
    <li>
      <span className="type-attribute">
        <span className="model-node-sign">
          {isKey ? <IconKey size={13} stroke={1.5} role="img" aria-label="key" /> : null}
        </span>
        <span className="mono cut grow" title={name}>
          {name}
        </span>
        <span className="ink-3">
          {typeWord(type)}
          {unit === null ? '' : `, ${unit}`}
          {role === 'reference' ? ', reference' : ''}
        </span>
      </span>
      <span className="type-evidence">
        {sources.map(({ stream, column, format }) => (
          <span key={`${stream} ${column}`}>
            from <code>{column}</code> of {stream}
            {format === null ? '' : `, as ${format}`}
          </span>
        ))}
        {evidence === null ? null : <span>{evidenceOf(evidence)}</span>}
        {evidence?.flags.map((flag) => (
          <span key={flag} className="type-flag">
            {flag}
          </span>
        ))}
      </span>
    </li>
  );
};

const LinkFacts = ({
  model,
  type,
  onType,
  detail,
}: TypePanelProps & { detail: TypeDetail | undefined }) => {
  const nameOf = (id: string): string => model.types.find((one) => one.id === id)?.name ?? id;
  const link = (id: string, words: string) => (
    <span key={`${id} ${words}`}>
      <button type="button" className="model-link" onClick={() => onType(id)}>
        {nameOf(id)}
      </button>{' '}
      <span className="ink-2">{words}</span>
    </span>
  );
  const to = type.links.map((one) =>
    link(one.to, `on ${one.on.map(({ from }) => from).join(', ')}`),
  );
  const from = (detail?.referredFrom ?? []).map((one) => link(one.type, `by ${one.on.join(', ')}`));
  if (to.length + from.length === 0) return null;
  return (
    <Section title="Links">
      <Facts
        facts={[
          ...(to.length > 0 ? [['Refers to', <Lines key="to">{to}</Lines>] as const] : []),
          ...(from.length > 0 ? [['From', <Lines key="from">{from}</Lines>] as const] : []),
        ]}
      />
    </Section>
  );
};

const Lines = ({ children }: { children: ReactNode }) => (
  <span className="type-lines">{children}</span>
);

const Live = ({ detail }: { detail: TypeDetail }) => (
  <>
    {detail.fault === null ? (
      <Section
        title="Sample"
        aside={`${count(detail.sample.length)} of ${count(detail.rows ?? 0)} rows`}
      >
        <SampleTable
          label={`Sample rows of ${detail.type.name}`}
          columns={detail.columns.map(({ name }) => name)}
          rows={detail.sample}
          streams={detail.type.streams}
        />
      </Section>
    ) : null}
    <Section title="SQL of the view" aside={`v${detail.version}`}>
      <SqlBlock sql={detail.sql} label={`SQL of ${detail.type.name}`} />
    </Section>
  </>
);
