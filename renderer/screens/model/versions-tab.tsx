// Owns the versions: a list with a bed each, what differs between any two, restoring one as a new version.
// Never changes a version: none ever is.

import { Button, Select } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { VersionSummary } from '../../../core/model.ts';
import { api, client, faultOf } from '../../api.ts';
import { useEngine } from '../../app/live.ts';
import { count, fullTime } from '../../ui/format.ts';
import { Facts, Loading, Section, Strip } from '../../ui/parts.tsx';
import { bedOf } from './beds.ts';
import { changeCounts, originOf, restoreWords } from './diff-words.ts';
import { renewModel, useVersions } from './use-model.ts';
import { VersionDiff } from './version-diff.tsx';
import './versions.css';

/** The tab. */
export const VersionsTab = ({ knowledgebase }: { knowledgebase: string }) => {
  const { data, error } = useVersions(knowledgebase, true);
  const [chosen, setChosen] = useState<number | null>(null);
  const [fault, setFault] = useState<{ message: string; hint: string } | null>(null);
  if (!data) {
    return error ? (
      <Strip tone="bad" what={faultOf(error).message}>
        {faultOf(error).hint}
      </Strip>
    ) : (
      <Loading>Reading the versions</Loading>
    );
  }
  const shown = data.find(({ version }) => version === chosen) ?? data[0];
  const restore = async (version: number): Promise<void> => {
    setFault(null);
    try {
      const made = await client.ontology.restore({ knowledgebase, version });
      setChosen(made.version);
    } catch (thrown) {
      setFault(faultOf(thrown));
    }
    await renewModel();
  };
  return (
    <>
      {fault ? (
        <Strip
          tone="bad"
          what={fault.message}
          actions={
            <Button variant="default" onClick={() => setFault(null)}>
              Close
            </Button>
          }
        >
          The model is as it was. {fault.hint}
        </Strip>
      ) : null}
      <div className="split model-split">
        <div className="model-list model-list-scroll">
          <table className="model-table versions-table">
            <thead>
              <tr>
                <th scope="col">Version</th>
                <th scope="col">From</th>
                <th scope="col">Why</th>
                <th scope="col">Types</th>
                <th scope="col">By</th>
                <th scope="col">When, UTC</th>
              </tr>
            </thead>
            <tbody>
              {data.map((one, index) => (
                <tr
                  key={one.version}
                  data-selected={one.version === shown?.version || undefined}
                  onClick={() => setChosen(one.version)}
                >
                  <th scope="row">
                    <span className="bed" data-bed={bedOf(index)} aria-hidden="true" />
                    <button type="button" aria-pressed={one.version === shown?.version}>
                      v{one.version}
                    </button>
                    {index === 0 ? <span className="small ink-2">live</span> : null}
                  </th>
                  <td>{originOf(one)}</td>
                  <td className="cut versions-why" title={one.why}>
                    {one.why}
                  </td>
                  <td className="ink-2">{changeCounts(one)}</td>
                  <td className="ink-2">{one.by}</td>
                  <td className="ink-2">{fullTime(one.at).slice(0, -4)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {shown ? (
          <VersionPanel
            key={shown.version}
            knowledgebase={knowledgebase}
            version={shown}
            all={data}
            onRestore={() => void restore(shown.version)}
          />
        ) : null}
      </div>
    </>
  );
};

interface VersionPanelProps {
  readonly knowledgebase: string;
  readonly version: VersionSummary;
  readonly all: readonly VersionSummary[];
  readonly onRestore: () => void;
}

const VersionPanel = ({ knowledgebase, version, all, onRestore }: VersionPanelProps) => {
  const isAway = useEngine().state !== 'ready';
  const others = all.filter((one) => one.version !== version.version);
  const [against, setAgainst] = useState<number | null>(
    others.find((one) => one.version < version.version)?.version ?? others[0]?.version ?? null,
  );
  const newest = all[0]?.version ?? version.version;
  const isLive = version.version === newest;
  const { snapshot } = version;
  return (
    <aside className="panel model-panel" aria-label={`Version ${version.version}`}>
      <header className="panel-head plan-title">
        <h2>v{version.version}</h2>
        <span className="small ink-2 grow cut">
          {count(version.types)} {version.types === 1 ? 'type' : 'types'}, {count(version.links)}{' '}
          {version.links === 1 ? 'link' : 'links'}
        </span>
        {isLive ? (
          <span className="small ink-2 versions-live">live</span>
        ) : (
          <Button
            variant="default"
            h={24}
            px={8}
            disabled={isAway}
            onClick={() => ask(version.version, newest, onRestore)}
          >
            Restore…
          </Button>
        )}
      </header>
      <div className="plan-scroll">
        <Section title="What it is">
          <Facts
            facts={[
              ['From', originOf(version)],
              ['Why', version.why],
              ['By', version.by],
              ['When', `${fullTime(version.at)} UTC`],
              ...(snapshot
                ? [
                    [
                      'Snapshot',
                      `${count(snapshot.rows)} rows in ${count(snapshot.batches)} ${snapshot.batches === 1 ? 'batch' : 'batches'}`,
                    ] as const,
                  ]
                : []),
            ]}
          />
        </Section>
        <section aria-label="Difference">
          <div className="plan-head versions-against">
            <h3>Against</h3>
            {against === null ? (
              <span className="small ink-2 grow">nothing, it is the only version</span>
            ) : (
              <Select
                aria-label="Against which version"
                size="xs"
                w={200}
                value={String(against)}
                onChange={(next) => setAgainst(Number(next))}
                allowDeselect={false}
                data={others.map((one) => ({
                  value: String(one.version),
                  label: `v${one.version}, ${originOf(one)}`,
                }))}
              />
            )}
          </div>
          {against === null ? null : (
            <Difference knowledgebase={knowledgebase} from={against} to={version.version} />
          )}
        </section>
      </div>
    </aside>
  );
};

const Difference = ({
  knowledgebase,
  from,
  to,
}: {
  knowledgebase: string;
  from: number;
  to: number;
}) => {
  const { data, error } = useQuery(
    api.ontology.diff.queryOptions({ input: { knowledgebase, from, to } }),
  );
  if (data) return <VersionDiff diff={data} />;
  return error ? (
    <p className="plan-note bad-text versions-same">{faultOf(error).message}</p>
  ) : (
    <Loading>Comparing</Loading>
  );
};

const ask = (version: number, newest: number, onYes: () => void): void => {
  modals.openConfirmModal({
    title: `Restore v${version}?`,
    children: (
      <p className="ink-2" style={{ margin: 0 }}>
        {restoreWords(version, newest)}
      </p>
    ),
    labels: { confirm: `Restore as v${newest + 1}`, cancel: `Keep v${newest}` },
    cancelProps: { 'data-autofocus': true },
    onConfirm: onYes,
  });
};
