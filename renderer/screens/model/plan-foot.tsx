// Owns the foot of the plan: applying it when all is decided, its SQL, refusing it. Never decides an item.

import { Button, Modal, TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Plan } from '../../../core/model.ts';
import { api, faultOf } from '../../api.ts';
import { CopyButton, Loading } from '../../ui/parts.tsx';
import { applyWaits } from './plan-words.ts';

interface PlanFootProps {
  readonly knowledgebase: string;
  readonly plan: Plan;
  readonly isOff: boolean;
  readonly onApply: (why: string) => void;
  readonly onRefuse: () => void;
}

/** The foot. */
export const PlanFoot = ({ knowledgebase, plan, isOff, onApply, onRefuse }: PlanFootProps) => {
  const [why, setWhy] = useState('');
  const [isSqlOpen, setSqlOpen] = useState(false);
  const waits = applyWaits(plan);
  return (
    <footer className="plan-foot">
      {waits === null ? (
        <TextInput
          aria-label="Why, for the list of versions"
          placeholder={`Why: Promoted ${plan.promotion.stream}.`}
          value={why}
          maxLength={1_000}
          onChange={(event) => setWhy(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !isOff) onApply(why);
          }}
        />
      ) : null}
      <div className="plan-foot-buttons">
        <Button disabled={isOff || waits !== null} onClick={() => onApply(why)}>
          Apply as v{plan.next}
        </Button>
        <span className="small ink-2 grow" role="status">
          {waits}
        </span>
        <Button
          variant="subtle"
          color="gray"
          className="plan-plain"
          onClick={() => setSqlOpen(true)}
        >
          Show SQL
        </Button>
        <Button
          variant="subtle"
          color="cinnabar"
          c={isOff ? undefined : 'var(--s-bad-text)'}
          disabled={isOff}
          onClick={() => ask(plan, onRefuse)}
        >
          Refuse plan
        </Button>
      </div>
      <Modal
        opened={isSqlOpen}
        onClose={() => setSqlOpen(false)}
        title={`SQL of v${plan.next}`}
        size={760}
      >
        <PlanSql knowledgebase={knowledgebase} promotion={plan.promotion.id} />
      </Modal>
    </footer>
  );
};

const PlanSql = ({ knowledgebase, promotion }: { knowledgebase: string; promotion: string }) => {
  const { data, error } = useQuery(
    api.ontology.sql.queryOptions({ input: { knowledgebase, promotion } }),
  );
  if (!data) {
    return error ? (
      <p className="bad-text">{faultOf(error).message}</p>
    ) : (
      <Loading>Writing it</Loading>
    );
  }
  return <SqlBlock sql={data.sql} label="SQL of the plan" />;
};

/** SQL to be read, with a copy. */
export const SqlBlock = ({ sql, label }: { sql: string; label: string }) => (
  <div className="model-sql">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long SQL is scrolled by keys. */}
    <section tabIndex={0} aria-label={label}>
      <pre>{sql}</pre>
    </section>
    <CopyButton text={sql} label="Copy the SQL" />
  </div>
);

const ask = ({ promotion }: Plan, onYes: () => void): void => {
  modals.openConfirmModal({
    title: `Refuse the plan of ${promotion.stream}?`,
    children: (
      <p className="ink-2" style={{ margin: 0 }}>
        The model and every row stay as they are. The plan, its changes and its snapshot go; the
        record that it was refused stays. {promotion.stream} can be promoted again.
      </p>
    ),
    labels: { confirm: 'Refuse plan', cancel: 'Keep' },
    confirmProps: { className: 'bad-button' },
    cancelProps: { 'data-autofocus': true },
    onConfirm: onYes,
  });
};
