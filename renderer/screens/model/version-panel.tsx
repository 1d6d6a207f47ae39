// Owns the panel of one version: what it is, what differs against any other, restoring it.
// Never restores without asking.

import { ActionIcon, Button, Select } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { VersionSummary } from '../../../core/model.ts';
import { api, faultOf } from '../../api.ts';
import { useShortcuts } from '../../app/keys.ts';
import { useEngine } from '../../app/live.ts';
import { count, fullTime } from '../../ui/format.ts';
import { Facts, Loading, Section } from '../../ui/parts.tsx';
import { originOf, restoreWords } from './diff-words.ts';
import { VersionDiff } from './version-diff.tsx';

interface VersionPanelProps {
  readonly knowledgebase: string;
  readonly version: VersionSummary;
  readonly all: readonly VersionSummary[];
  readonly onRestore: () => void;
  readonly onClose: () => void;
}

/** The panel. Esc closes it. */
export const VersionPanel = (props: VersionPanelProps) => {
  const { knowledgebase, version, all, onRestore, onClose } = props;
  useShortcuts({ Escape: onClose });
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
          <span className="small ink-2">live</span>
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
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          aria-label="Close the version"
          onClick={onClose}
        >
          <IconX size={16} stroke={1.6} />
        </ActionIcon>
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
