// Owns the box of one object type: its mark, name and rows, its attributes with key and type.
// Never knows where it lies.

import { IconKey } from '@tabler/icons-react';
import { Fragment, memo } from 'react';
import { count } from '../../ui/format.ts';
import { type GraphMark, type GraphNode, namePieces } from './graph-data.ts';

const SIGNS = { new: '+', changed: '~' } as const;

/** What a mark looks like; its word is said elsewhere. */
const Sign = ({ mark }: { mark: GraphMark }) =>
  mark === null ? null : (
    <span className="model-sign" data-mark={mark} aria-hidden="true">
      {SIGNS[mark]}
    </span>
  );

/** The inside of a node. `isSmall` where it is drawn too small for attributes: then the name alone, larger. */
export const NodeFace = memo(({ node, nameSize }: { node: GraphNode; nameSize: number | null }) => {
  if (nameSize !== null) {
    return (
      <span className="model-node-far" style={{ fontSize: nameSize, lineHeight: 1.15 }}>
        <Sign mark={node.mark} />
        <span>
          {namePieces(node.name).map((piece, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a piece has no name but its place.
            <Fragment key={at}>
              {at === 0 ? null : <wbr />}
              {piece}
            </Fragment>
          ))}
        </span>
      </span>
    );
  }
  return (
    <>
      <span className="model-node-head">
        <Sign mark={node.mark} />
        <span className="model-node-name cut" title={node.name}>
          {node.name}
        </span>
        <span className="model-node-rows">
          {node.kind === 'fact' ? <span>fact</span> : null}
          {node.rows === null ? '–' : count(node.rows)}
        </span>
      </span>
      {node.lines.map((line) => (
        <span key={line.name} className="model-node-line" data-key={line.isKey || undefined}>
          <span className="model-node-sign">
            {line.mark === null && line.isKey ? (
              <IconKey size={13} stroke={1.5} aria-hidden="true" />
            ) : (
              <Sign mark={line.mark} />
            )}
          </span>
          <span className="grow cut" title={line.name}>
            {line.name}
          </span>
          <span className="model-node-type">{line.type}</span>
        </span>
      ))}
      {node.more > 0 ? (
        <span className="model-node-line">
          <span className="model-node-sign" />
          <span>{count(node.more)} more</span>
        </span>
      ) : null}
    </>
  );
});
