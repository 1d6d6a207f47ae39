// Owns a stream's policy of compaction: when it runs, how long originals are kept; shown, and edited in place.
// Never compacts.

import { Button, SegmentedControl, TextInput, UnstyledButton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { CompactionPlan, CompactionPolicy, Originals } from '../../../../core/model.ts';
import { api, client, faultOf } from '../../../api.ts';
import { filesOf } from '../../../app/compaction-words.ts';
import { bytes } from '../../../ui/format.ts';
import { Facts, Section } from '../../../ui/parts.tsx';
import { daysOf, type PolicyInput, policyFaults, policyOf } from './policy-input.ts';
import { keptOf, whenOf } from './run-words.ts';
import { renewCompaction } from './use-compaction.ts';

interface PolicyProps {
  readonly knowledgebase: string;
  readonly stream: string;
  readonly policy: CompactionPolicy;
  readonly plan: CompactionPlan | undefined;
  readonly originals: Originals | undefined;
  readonly isReady: boolean;
}

/** The section "Policy". */
export const Policy = (props: PolicyProps) => {
  const { policy, plan, originals, isReady } = props;
  const [isEditing, setEditing] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  // The focus goes into the form and comes back to where it was.
  useEffect(() => {
    if (wasEditing.current && !isEditing) edit.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  if (isEditing) return <Edit {...props} onDone={() => setEditing(false)} />;
  const kept = originals?.kept.sizeBytes ?? 0;
  return (
    <Section
      title="Policy"
      aside={
        <UnstyledButton
          ref={edit}
          className="stream-link"
          disabled={!isReady}
          onClick={() => setEditing(true)}
        >
          Edit
        </UnstyledButton>
      }
    >
      <div className="policy-facts">
        <Facts
          facts={[
            ['Run', whenOf(policy)],
            ...(policy.policy === 'automatic'
              ? ([['Not while', 'batches land fast']] as const)
              : []),
            [
              'Keep originals',
              `${keptOf(policy.retentionDays)}${kept > 0 ? `, ${bytes(kept)} now` : ''}`,
            ],
            ...(plan && plan.memoryBytes > 0
              ? ([
                  ['Memory', `at most ${bytes(plan.memoryBytes)}`],
                  ['Disk', `needs ${bytes(plan.neededBytes)} of ${bytes(plan.freeBytes)} free`],
                ] as const)
              : []),
          ]}
        />
      </div>
    </Section>
  );
};

const CHOICES = [
  { value: 'off', label: 'Off' },
  { value: 'suggested', label: 'Suggest' },
  { value: 'automatic', label: 'Automatic' },
];

const MEANS: Readonly<Record<CompactionPolicy['policy'], string>> = {
  off: 'It runs when a person asks.',
  suggested: 'It runs when a person asks; Streams says when it pays.',
  automatic: 'It runs by itself at so many loose files, never while batches land fast.',
};

const Edit = ({
  knowledgebase,
  stream,
  policy,
  isReady,
  onDone,
}: PolicyProps & { readonly onDone: () => void }) => {
  const [input, setInput] = useState<PolicyInput>({
    policy: policy.policy,
    files: String(policy.files),
    retentionDays: String(policy.retentionDays),
  });
  const faults = policyFaults(input);
  const asked = policyOf(input);
  const days = daysOf(input);
  const save = useMutation({
    mutationFn: (compaction: NonNullable<typeof asked>) =>
      client.streams.update({ knowledgebase, stream, compaction }),
    onSuccess: () => {
      renewCompaction();
      onDone();
    },
  });
  const form = useRef<HTMLFormElement>(null);
  // It stands at the panel's end, so its buttons may be out of view.
  useEffect(() => {
    form.current?.querySelector<HTMLInputElement>('input:checked')?.focus({ preventScroll: true });
    form.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const change = (some: Partial<PolicyInput>): void => setInput({ ...input, ...some });
  return (
    <Section title="Policy">
      <form
        ref={form}
        className="policy-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (asked) save.mutate(asked);
        }}
      >
        <SegmentedControl
          aria-label="When it runs"
          data={CHOICES}
          value={input.policy}
          onChange={(value) => change({ policy: value as PolicyInput['policy'] })}
        />
        <p className="small ink-2">{MEANS[input.policy]}</p>
        {input.policy === 'off' ? null : (
          <TextInput
            label={input.policy === 'automatic' ? 'Run at, loose files' : 'Suggest at, loose files'}
            inputMode="numeric"
            value={input.files}
            error={faults.files}
            onChange={(event) => change({ files: event.currentTarget.value })}
          />
        )}
        <TextInput
          label="Keep originals, days"
          inputMode="numeric"
          value={input.retentionDays}
          error={faults.retentionDays}
          onChange={(event) => change({ retentionDays: event.currentTarget.value })}
        />
        {days === null ? null : (
          <Preview knowledgebase={knowledgebase} stream={stream} days={days} />
        )}
        {save.error ? (
          <p className="small bad-text" role="alert">
            {faultOf(save.error).message} {faultOf(save.error).hint}
          </p>
        ) : null}
        <div className="policy-buttons">
          <Button variant="default" onClick={onDone}>
            Keep as it was
          </Button>
          <Button
            type="submit"
            variant="default"
            disabled={!isReady || asked === null}
            loading={save.isPending}
          >
            Save
          </Button>
        </div>
      </form>
    </Section>
  );
};

/** What another retention would remove. */
const Preview = ({
  knowledgebase,
  stream,
  days,
}: {
  knowledgebase: string;
  stream: string;
  days: number;
}) => {
  const { data, isPlaceholderData: isBehind } = useQuery(
    api.compaction.originals.queryOptions({
      input: { knowledgebase, stream, retentionDays: days },
      placeholderData: (before) => before,
    }),
  );
  if (!data || data.kept.files === 0) {
    return days === 0 ? (
      <p className="small ink-2">
        Originals go within a minute after a run, and the undo with them.
      </p>
    ) : null;
  }
  if (isBehind) {
    return (
      <p className="small ink-2" role="status">
        Looking what would go
      </p>
    );
  }
  return (
    <p className={`small ${data.due.files > 0 ? 'warn-text' : 'ink-2'}`} role="status">
      {data.due.files > 0
        ? `${filesOf(data.due.files)}, ${bytes(data.due.sizeBytes)}, would go within a minute, and their undo with them.`
        : `Of ${filesOf(data.kept.files)} kept, ${bytes(data.kept.sizeBytes)}, none would go now.`}
    </p>
  );
};
