// Owns editing a reject in place: the whole body where that is quick and exact, else its faulty lines. Never sends it.

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Fault, RejectDetail } from '../../core/model.ts';
import { faultOf } from '../api.ts';
import { bytes } from '../ui/format.ts';
import { Loading, Strip } from '../ui/parts.tsx';
import { Ask } from './ask.tsx';
import { BodyEditor } from './body-editor.tsx';
import { dropDraft, keepText, useDraft } from './drafts.ts';
import { LineEditors } from './line-editors.tsx';
import { type BodyName, readWholeText } from './use-body.ts';

/** A larger body is edited by its faulty lines. */
const MOST_BYTES = 262_144;

interface EditPaneProps {
  readonly name: BodyName;
  readonly detail: RejectDetail;
  readonly draftKey: string;
  /** Faults of what is edited, as far as it was checked. */
  readonly faults: readonly Fault[];
  /** Faults of the body as it came. */
  readonly came: readonly (Fault & { readonly line: number })[];
  readonly onClose: () => void;
}

/** The editor, and a bar that says what becomes of the edit. */
export const EditPane = ({ name, detail, draftKey, faults, came, onClose }: EditPaneProps) => {
  const draft = useDraft(draftKey);
  const [isAsking, setAsking] = useState(false);
  const isLarge = detail.bodyBytes > MOST_BYTES;
  const { data: text, error } = useQuery({
    queryKey: ['whole body', name],
    queryFn: ({ signal }) => readWholeText(name, detail.bodyBytes, signal),
    enabled: !isLarge,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
  });
  return (
    <>
      <div className="edit-bar" role="status">
        <span className="grow ink-2">
          {draft
            ? 'Edited, not sent. The edit is kept while you look at others; the body as it came stays.'
            : 'What you change is held against the stream at once. Nothing is sent until you replay.'}
        </span>
        {draft ? (
          <Button variant="subtle" color="gray" onClick={() => setAsking(true)}>
            Drop the edit…
          </Button>
        ) : null}
        <Button variant="default" onClick={onClose}>
          Close the editor
        </Button>
      </div>
      <Ask
        isOpen={isAsking}
        title="Drop the edit?"
        keep="Keep it"
        act="Drop the edit"
        onKeep={() => setAsking(false)}
        onAct={() => {
          setAsking(false);
          dropDraft(draftKey);
          onClose();
        }}
      >
        What you typed is lost. The body as it came stays, and the reject stays open.
      </Ask>
      {error ? (
        <Strip tone="bad" what={faultOf(error).message}>
          {faultOf(error).hint}
        </Strip>
      ) : isLarge || text === null ? (
        <LineEditors
          name={name}
          draftKey={draftKey}
          faults={came}
          why={
            isLarge
              ? `The body has ${bytes(detail.bodyBytes)}.`
              : 'The body has bytes that are not UTF-8.'
          }
        />
      ) : text === undefined ? (
        <Loading>Reading the body</Loading>
      ) : (
        <div className="edit-whole">
          <BodyEditor
            key={draftKey}
            label={`Body of ${detail.rejectId}`}
            text={draft?.kind === 'text' ? draft.text : text}
            faults={faults}
            onChange={(next) => (next === text ? dropDraft(draftKey) : keepText(draftKey, next))}
          />
        </div>
      )}
    </>
  );
};
