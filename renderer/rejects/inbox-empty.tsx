// Owns what an empty inbox says: that it is well, what was done so far, the next step. Never has a reject.

import { Button } from '@mantine/core';
import type { RejectState } from '../../core/model.ts';
import { addressOf } from '../app/router.ts';
import { count } from '../ui/format.ts';
import { Empty } from '../ui/parts.tsx';
import { type InboxState, isNarrowed } from './inbox-state.ts';

interface InboxEmptyProps {
  readonly knowledgebase: string;
  readonly stream: string | null;
  readonly tab: RejectState;
  readonly state: InboxState;
  readonly totals: Readonly<Record<RejectState, number>> | undefined;
  readonly onAll: () => void;
}

/** The words. */
export const InboxEmpty = ({ stream, tab, state, totals, onAll }: InboxEmptyProps) => {
  if (isNarrowed(state, stream)) {
    return (
      <Empty
        what={`No ${tab} reject is in this filter`}
        why="Another stream, sender or time may have some."
      >
        <Button variant="default" onClick={onAll}>
          Show all
        </Button>
      </Empty>
    );
  }
  const replayed = totals?.replayed ?? 0;
  const discarded = totals?.discarded ?? 0;
  const of = stream === null ? '' : ` of ${stream}`;
  if (tab !== 'open') {
    return (
      <Empty
        what={
          tab === 'replayed' ? `No reject${of} was replayed yet` : `No reject${of} was discarded`
        }
        why={
          tab === 'replayed'
            ? 'A rejected batch that is mended and landed stands here, with the batch it became.'
            : 'A reject that is put aside stands here, and can be brought back.'
        }
      >
        <a
          href={addressOf(
            stream === null
              ? { screen: 'rejects', tab: 'open', at: null }
              : { screen: 'stream', stream, tab: 'rejects', at: null },
          )}
        >
          Open rejects
        </a>
      </Empty>
    );
  }
  const done =
    replayed + discarded === 0
      ? 'No batch was rejected yet.'
      : `${count(replayed)} ${replayed === 1 ? 'was' : 'were'} replayed, ${count(discarded)} discarded.`;
  return (
    <Empty
      what={`No open rejects${of}`}
      why={`${done} A batch with a faulty line is answered 400 and kept here, exactly as it came, until it is mended or put aside.`}
    >
      <a
        href={addressOf(
          stream === null
            ? { screen: 'streams' }
            : { screen: 'stream', stream, tab: 'settings', at: null },
        )}
      >
        {stream === null ? 'All streams' : 'What the stream takes'}
      </a>
    </Empty>
  );
};
