// Owns the Settings tab of a stream: columns, knowing batches, tokens, the address. Never a knowledgebase's settings.

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { StreamSummary } from '../../../core/model.ts';
import { api } from '../../api.ts';
import { Shippers } from '../../app/shippers.tsx';
import { count } from '../../ui/format.ts';
import { CopyButton } from '../../ui/parts.tsx';
import { LetInOffer } from './let-in.tsx';
import { PartialLanding } from './partial-landing.tsx';
import { RegisteredColumns } from './registered-columns.tsx';
import { StreamSwitch } from './stream-switch.tsx';
import { StreamTokens } from './stream-tokens.tsx';

/** The settings of a stream. */
export const SettingsTab = ({
  knowledgebase,
  summary,
}: {
  knowledgebase: string;
  summary: StreamSummary;
}) => {
  const { stream, registered } = summary;
  const { data: columns } = useQuery(
    api.streams.columns.queryOptions({ input: { knowledgebase, stream } }),
  );
  const address = useIngestAddress(knowledgebase, stream);
  return (
    <div className="stream-settings">
      <Setting title="Address" why="POST batches here: one JSON object a line.">
        {address === null ? (
          <span className="ink-3">Not listening</span>
        ) : (
          <span className="stream-copied">
            <code>{address}</code>
            <CopyButton text={address} label="Copy the address" />
          </span>
        )}
      </Setting>
      <Setting
        title="Columns"
        why={
          registered === null
            ? 'Any field is welcome; new ones become columns as they come.'
            : 'A batch with any other field is rejected.'
        }
      >
        <div className="stream-setting-row">
          <span className="grow cut mono" title={registered?.join(', ')}>
            {registered === null ? (
              <span className="stream-setting-plain">
                {columns ? `${count(columns.length)} seen, none registered` : ''}
              </span>
            ) : (
              registered.join(', ')
            )}
          </span>
          <RegisteredColumns
            knowledgebase={knowledgebase}
            summary={summary}
            known={columns?.map(({ source }) => source) ?? []}
          />
        </div>
        {registered === null || summary.openRejects === 0 ? null : (
          <LetInOffer knowledgebase={knowledgebase} stream={stream} columns={registered} />
        )}
      </Setting>
      <Setting
        title="Retries"
        why="For producers that send no batch id: the same body sent again is a replay and adds nothing. Two batches that are meant to be the same would land as one."
      >
        <StreamSwitch
          knowledgebase={knowledgebase}
          summary={summary}
          term="recogniseEqualBodies"
          label="Know a batch by its body"
        />
      </Setting>
      <Setting
        title="Date folders"
        why={
          <>
            Batches land in <code>data/dt=YYYY-MM-DD/</code>, by the day (UTC) they land on, so that
            a day can be copied or carried away. Queries read all days as one; what has landed stays
            where it is.
          </>
        }
      >
        <StreamSwitch
          knowledgebase={knowledgebase}
          summary={summary}
          term="dateFolders"
          label="A folder for each day"
        />
      </Setting>
      <Setting
        title="Bad lines"
        why="What becomes of a batch in which some lines are good and some are not."
      >
        <PartialLanding knowledgebase={knowledgebase} summary={summary} />
      </Setting>
      <Setting
        title="Tokens"
        why="A token of this stream is good for it alone. Once there is one, every producer that sends here needs a token, on this machine too."
      >
        <StreamTokens knowledgebase={knowledgebase} stream={stream} />
      </Setting>
      {summary.rows === 0 ? null : (
        <Setting
          title="Producers"
          why="Commands and configurations with this address, ready to copy."
        >
          <div className="stream-shippers">
            <Shippers knowledgebase={knowledgebase} stream={stream} columns={registered} />
          </div>
        </Setting>
      )}
    </div>
  );
};

/** Where batches of a stream are sent; null while nothing listens. */
const useIngestAddress = (knowledgebase: string, stream: string): string | null => {
  const { data: status } = useQuery(api.engine.status.queryOptions());
  const base = status?.ingestUrl;
  if (!base) return null;
  return `${base.replace(/\/$/, '')}/knowledgebase/${knowledgebase}/strata/ingest/${stream}`;
};

const Setting = ({
  title,
  why,
  children,
}: {
  title: string;
  why: ReactNode;
  children: ReactNode;
}) => (
  <section className="stream-setting">
    <div>
      <h2>{title}</h2>
      <p className="small ink-2">{why}</p>
    </div>
    <div className="stream-setting-what">{children}</div>
  </section>
);
