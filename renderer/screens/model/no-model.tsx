// Owns what stands where there is no model: what promotion is and how to start, or that none is kept here.
// Never promotes.

import { Button } from '@mantine/core';
import { useStreams } from '../../app/live.ts';
import { addressOf } from '../../app/router.ts';
import { CopyButton, Empty, Loading } from '../../ui/parts.tsx';

/** Nothing has been promoted yet. */
export const NoModel = ({
  knowledgebase,
  isOff,
  onPromote,
}: {
  knowledgebase: string;
  isOff: boolean;
  onPromote: () => void;
}) => {
  const streams = useStreams(knowledgebase);
  if (!streams) return <Loading>Reading the streams</Loading>;
  const first = [...streams].sort((one, other) => other.rows - one.rows)[0];
  const command = `node bin/strata.mjs promote ${knowledgebase} ${first?.stream ?? 'STREAM'}`;
  return (
    <Empty
      what="Nothing is modelled yet"
      why="Raw streams can be queried as they are. Promoting one measures its rows and proposes typed object types with their keys and links, each with the numbers that led to it. Nothing changes until you accept."
    >
      <div className="model-command">
        <code className="grow">{command}</code>
        <CopyButton text={command} label="Copy the command" />
      </div>
      {first && first.rows > 0 ? (
        <Button disabled={isOff} onClick={onPromote}>
          Promote a stream…
        </Button>
      ) : (
        <p>
          No stream has rows yet. <a href={addressOf({ screen: 'streams' })}>Send a batch first</a>.
        </p>
      )}
    </Empty>
  );
};

/** The knowledgebase keeps no model. */
export const NoStore = ({ isOff, onPromote }: { isOff: boolean; onPromote: () => void }) => (
  <Empty
    what="This knowledgebase keeps no model"
    why="Its model store is set to none, so streams are raw only. They land and can be queried as ever."
  >
    <p>
      Choose a store in <a href={addressOf({ screen: 'settings' })}>Settings, Model store</a>.
    </p>
    <Button variant="default" disabled={isOff} onClick={onPromote}>
      Promote a stream…
    </Button>
  </Empty>
);
