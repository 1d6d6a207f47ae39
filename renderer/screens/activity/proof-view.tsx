// Owns the proof that nothing is lost or counted twice: what each stream's figures are, and what differs.
// Never repairs anything.

import { Button } from '@mantine/core';
import type { Proof, StreamProof } from '../../../core/model.ts';
import { addressOf } from '../../app/router.ts';
import { clock, count } from '../../ui/format.ts';
import { Mark } from '../../ui/mark.tsx';
import { Empty, Loading, Strip } from '../../ui/parts.tsx';
import type { Verifying } from './verifying.ts';

/** The last proof. */
export const ProofView = ({
  verifying,
  isAway,
  onVerify,
  onCancel,
}: {
  verifying: Verifying;
  isAway: boolean;
  onVerify: () => void;
  onCancel: () => void;
}) => {
  const { state, proof, fault } = verifying;
  if (state === 'running') {
    return (
      <div className="proof-running">
        <Loading>Counting every file against the ledger</Loading>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    );
  }
  return (
    <>
      {fault ? (
        <Strip tone="bad" what={fault.message}>
          Nothing was changed. {fault.hint}
        </Strip>
      ) : null}
      {proof ? (
        <Shown proof={proof} at={verifying.at} />
      ) : (
        <Empty
          what="Nothing has been verified yet"
          why="Verifying proves that every POST is accounted for, and that every row that was answered 200 is in its stream's view. It reads every file and changes nothing."
        >
          <Button disabled={isAway} onClick={onVerify}>
            Verify
          </Button>
        </Empty>
      )}
    </>
  );
};

const Shown = ({ proof, at }: { proof: Proof; at: string | null }) => {
  const { holds, streams, differences } = proof;
  const found = differences.length + streams.reduce((sum, one) => sum + one.differences.length, 0);
  const rows = streams.reduce((sum, { totals }) => sum + totals.rows, 0);
  return (
    <div className="activity-scroll">
      <div className={holds ? 'proof-verdict' : 'proof-verdict bad-text'} role="status">
        <Mark name={holds ? 'landed' : 'error'} />
        <span className="strong">
          {holds
            ? `Everything holds: ${count(rows)} rows in ${count(streams.length)} ${streams.length === 1 ? 'stream' : 'streams'}`
            : `${count(found)} ${found === 1 ? 'difference' : 'differences'} found`}
        </span>
        <span className="ink-2">verified at {at === null ? '' : clock(at)}</span>
      </div>
      {differences.length === 0 ? null : <Differences differences={differences} />}
      <table className="proof">
        <caption className="sr-only">Proof by stream</caption>
        <thead>
          <tr>
            <th scope="col">Stream</th>
            <th scope="col">Received</th>
            <th scope="col">= Landed</th>
            <th scope="col">+ Rejected</th>
            <th scope="col">+ Replayed</th>
            <th scope="col">+ Refused</th>
            <th scope="col">Rows acknowledged</th>
            <th scope="col">Rows in the view</th>
            <th scope="col">Differences</th>
          </tr>
        </thead>
        {streams.map((stream) => (
          <StreamRows key={stream.totals.stream} proof={stream} />
        ))}
      </table>
    </div>
  );
};

const StreamRows = ({ proof }: { proof: StreamProof }) => {
  const { totals, viewRows, differences } = proof;
  const { stream, received, landed, rejected, replayed, refused, rows } = totals;
  return (
    <tbody>
      <tr>
        <th scope="row">
          <span className="marked">
            <Mark
              name={differences.length === 0 ? 'landed' : 'error'}
              label={differences.length === 0 ? 'holds' : 'differs'}
            />
            <a href={addressOf({ screen: 'stream', stream, tab: 'rows', at: null })}>{stream}</a>
          </span>
        </th>
        <Figure value={received} />
        <Figure value={landed} />
        <Figure value={rejected} />
        <Figure value={replayed} />
        <Figure value={refused} />
        <Figure value={rows} />
        <Figure value={viewRows} />
        <Figure value={differences.length} />
      </tr>
      {differences.length === 0 ? null : (
        <tr className="proof-differences">
          <td colSpan={9}>
            <Differences differences={differences} />
          </td>
        </tr>
      )}
    </tbody>
  );
};

const Figure = ({ value }: { value: number | null }) => (
  <td className={value === 0 || value === null ? 'ink-3' : undefined}>
    {value === null ? '–' : count(value)}
  </td>
);

const Differences = ({ differences }: { differences: readonly string[] }) => (
  <ul className="differences">
    {differences.map((difference) => (
      <li key={difference}>{difference}</li>
    ))}
  </ul>
);
