// Owns how long failed bodies are kept: days, size, what would go, applying it. Never removes a reason or a row of
// the ledger.

import { Button, Modal, NumberInput, Switch } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RetentionPreview, RetentionView } from '../../core/model.ts';
import { api, client, faultOf, queryClient } from '../api.ts';
import { bytes, count, fullTime } from '../ui/format.ts';
import { Mark } from '../ui/mark.tsx';
import { Loading } from '../ui/parts.tsx';
import './retention.css';

const MB = 1_000_000;

/** The dialog. */
export const RetentionDialog = ({
  knowledgebase,
  isOpen,
  onClose,
}: {
  knowledgebase: string;
  isOpen: boolean;
  onClose: () => void;
}) => {
  const { data } = useQuery(
    api.rejects.retention.get.queryOptions({ input: { knowledgebase }, enabled: isOpen }),
  );
  return (
    <Modal opened={isOpen} onClose={onClose} title="How long failed bodies are kept" size={480}>
      {data ? (
        <Form knowledgebase={knowledgebase} view={data} onClose={onClose} />
      ) : (
        <Loading>Reading the setting</Loading>
      )}
    </Modal>
  );
};

const Form = ({
  knowledgebase,
  view,
  onClose,
}: {
  knowledgebase: string;
  view: RetentionView;
  onClose: () => void;
}) => {
  const [hasDays, setHasDays] = useState(view.days !== null);
  const [days, setDays] = useState(view.days ?? 30);
  const [hasBytes, setHasBytes] = useState(view.bytes !== null);
  const [megabytes, setMegabytes] = useState((view.bytes ?? 500 * MB) / MB);
  const setting = {
    days: hasDays ? days : null,
    bytes: hasBytes ? Math.round(megabytes * MB) : null,
  };
  const {
    data: preview,
    error: cannot,
    isPlaceholderData: isBehind,
  } = useQuery(
    api.rejects.retention.preview.queryOptions({
      input: { knowledgebase, ...setting },
      placeholderData: keepPreviousData,
    }),
  );
  const save = useMutation({
    mutationFn: async (applies: boolean) => {
      await client.rejects.retention.update({ knowledgebase, ...setting });
      if (applies) await client.rejects.retention.apply({ knowledgebase });
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: api.rejects.key() });
      onClose();
    },
  });
  const goes = preview?.bodies ?? 0;
  const fault = save.error ?? cannot;
  return (
    <form
      className="retention"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(false);
      }}
    >
      <p className="ink-2">
        Reasons, states and counts are kept for ever. Only bodies go; a reject without its body
        cannot be landed any more.
      </p>
      <div className="retention-row">
        <Switch
          label="By age"
          checked={hasDays}
          onChange={(event) => setHasDays(event.currentTarget.checked)}
        />
        <NumberInput
          aria-label="Days"
          min={1}
          max={36_500}
          allowDecimal={false}
          clampBehavior="strict"
          disabled={!hasDays}
          value={days}
          onChange={(value) => setDays(Math.max(1, Number(value) || 1))}
          suffix={days === 1 ? ' day' : ' days'}
        />
      </div>
      <div className="retention-row">
        <Switch
          label="By size, the oldest first"
          checked={hasBytes}
          onChange={(event) => setHasBytes(event.currentTarget.checked)}
        />
        <NumberInput
          aria-label="Megabytes"
          min={0}
          max={1_000_000}
          disabled={!hasBytes}
          value={megabytes}
          onChange={(value) => setMegabytes(Math.max(0, Number(value) || 0))}
          suffix=" MB"
        />
      </div>
      <div className="retention-preview" role="status">
        {preview && !isBehind ? <Preview preview={preview} kept={view} /> : 'Looking what would go'}
      </div>
      {fault ? (
        <p className="small bad-text" role="alert">
          {faultOf(fault).message} {faultOf(fault).hint}
        </p>
      ) : null}
      <div className="ask-buttons">
        <Button variant="default" data-autofocus onClick={onClose}>
          Keep as it is
        </Button>
        <Button type="submit" variant={goes > 0 ? 'default' : 'filled'} loading={save.isPending}>
          Save
        </Button>
        {goes > 0 ? (
          // Its number is of another setting until this one was looked at; the button keeps its place.
          <Button
            className="bad-button"
            disabled={isBehind}
            loading={save.isPending}
            onClick={() => save.mutate(true)}
          >
            Save and remove {isBehind ? '…' : count(goes)}
          </Button>
        ) : null}
      </div>
    </form>
  );
};

const Preview = ({ preview, kept }: { preview: RetentionPreview; kept: RetentionView }) => {
  const { bodies, bodyBytes, open, oldestAt, newestAt, streams } = preview;
  if (bodies === 0) {
    return (
      <p>
        Nothing would go now. {count(kept.bodies)} {kept.bodies === 1 ? 'body is' : 'bodies are'}{' '}
        kept, {bytes(kept.bodyBytes)}.
      </p>
    );
  }
  return (
    <>
      <p>
        {count(bodies)} of {count(kept.bodies)} {kept.bodies === 1 ? 'body' : 'bodies'} would go,{' '}
        {bytes(bodyBytes)}
        {oldestAt === null || newestAt === null
          ? ''
          : `, received ${fullTime(oldestAt).slice(0, -7)} to ${fullTime(newestAt).slice(0, -7)}`}
        . Within the hour, or now if you say so.
      </p>
      {open > 0 ? (
        <p className="marked warn-text">
          <Mark name="lagging" />
          {count(open)} of them {open === 1 ? 'is' : 'are'} still open.
        </p>
      ) : null}
      <ul>
        {streams.slice(0, 6).map(({ stream, bodies: some, bodyBytes: size }) => (
          <li key={stream}>
            <span className="grow cut">{stream}</span>
            <span className="ink-2">
              {count(some)}, {bytes(size)}
            </span>
          </li>
        ))}
        {streams.length > 6 ? (
          <li className="ink-2">{count(streams.length - 6)} more streams</li>
        ) : null}
      </ul>
    </>
  );
};
