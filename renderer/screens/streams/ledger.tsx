// Owns a stream's conservation ledger as a sum: what was received and what became of it, in POSTs.
// Never rounds.

import type { StreamTotals } from '../../../core/model.ts';
import { count } from '../../ui/format.ts';
import { Marked, Section } from '../../ui/parts.tsx';

/** The sum, and whether it holds. */
export const Ledger = ({ totals }: { totals: StreamTotals }) => {
  const { landed, rejected, replayed, refused, received } = totals;
  const difference = received - (landed + rejected + replayed + refused);
  return (
    <Section
      title="Ledger"
      aside={
        difference === 0 ? (
          <Marked mark="landed">Balanced</Marked>
        ) : (
          <span className="bad-text">
            <Marked mark="error">Out of balance by {count(Math.abs(difference))}</Marked>
          </span>
        )
      }
    >
      <dl className="ledger">
        <Line name="Landed" value={landed} />
        <Line sign="+" name="Rejected" value={rejected} isBad={totals.openRejects > 0} />
        <Line sign="+" name="Replayed" value={replayed} />
        <Line sign="+" name="Refused" value={refused} />
        <Line sign="=" name="Received batches" value={received} />
      </dl>
    </Section>
  );
};

const Line = ({
  sign = '',
  name,
  value,
  isBad = false,
}: {
  sign?: string;
  name: string;
  value: number;
  isBad?: boolean;
}) => (
  <div className={sign === '=' ? 'ledger-sum' : ''}>
    <dt>
      <span className="ledger-sign">{sign}</span>
      {name}
    </dt>
    <dd className={isBad ? 'bad-text strong' : ''}>{count(value)}</dd>
  </div>
);
