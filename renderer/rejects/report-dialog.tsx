// Owns the report for the producer's owner: its text, with data or without, ready to copy. Never sends it.

import { Modal, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RejectSelection } from '../../core/model.ts';
import { api, faultOf } from '../api.ts';
import { CopyButton, Loading } from '../ui/parts.tsx';
import { givenSelection } from './given.ts';
import { Sentence } from './segment-view.tsx';

/** What can leave: rejects, how many, and what they are called. */
export interface Outgoing {
  readonly selection: RejectSelection;
  readonly count: number;
  readonly words: string;
}

/** The dialog. */
export const ReportDialog = ({
  knowledgebase,
  what,
  onClose,
}: {
  knowledgebase: string;
  /** Null while it is closed. */
  what: Outgoing | null;
  onClose: () => void;
}) => {
  const [withData, setWithData] = useState(false);
  const { data, error } = useQuery(
    api.rejects.report.queryOptions({
      input: {
        knowledgebase,
        selection: givenSelection(what?.selection ?? { filter: {} }),
        withData,
      },
      // Never one with data where none was asked for, not even until the other has come.
      enabled: what !== null,
    }),
  );
  return (
    <Modal
      opened={what !== null}
      onClose={onClose}
      title={`Report on ${what?.words ?? ''}`}
      size={640}
    >
      <div className="report">
        <Switch
          label="With data"
          description={
            withData
              ? 'Messages, lines and values of the bodies are in it.'
              : 'Counts, times, codes and places alone: no line and no value of a body.'
          }
          checked={withData}
          onChange={(event) => setWithData(event.currentTarget.checked)}
        />
        {error ? (
          <p className="bad-text" role="alert">
            {faultOf(error).message} {faultOf(error).hint}
          </p>
        ) : data ? (
          <div className="report-text">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls by keys. */}
            <pre tabIndex={0}>
              {data.text.split('\n').map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name but its place.
                <span key={at}>
                  <Sentence text={line} />
                  {'\n'}
                </span>
              ))}
            </pre>
            <CopyButton text={data.text} label="Copy the report" />
          </div>
        ) : (
          <Loading>Writing the report</Loading>
        )}
      </div>
    </Modal>
  );
};
