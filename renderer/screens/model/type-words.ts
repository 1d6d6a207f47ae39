// Owns how a type of the model reads: its name in SQL, what was known of an attribute. Pure.

import type { AttributeEvidence, ObjectType } from '../../../core/model.ts';
import { count } from '../../ui/format.ts';

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The view of a type, as SQL names it. */
const viewOfType = ({ name }: Pick<ObjectType, 'name'>): string => `ontology.${quoted(name)}`;

/** A query of a type's attributes, and of the columns that lead back to its batches. */
export const selectOf = ({ name, attributes }: ObjectType): string => {
  const columns = [...attributes.map((one) => quoted(one.name)), '_batch_id', '_line'];
  return `SELECT ${columns.join(', ')}\nFROM ${viewOfType({ name })}\nLIMIT 100`;
};

/** `24 values in 60 rows, E1001 to E1024. Every value is a date.` */
export const evidenceOf = (evidence: AttributeEvidence): string => {
  const { rows, nulls, distinct, fails, conflicts, from, to, reason } = evidence;
  const range =
    from === null || to === null ? '' : from === to ? `, ${from}` : `, ${from} to ${to}`;
  const parts = [
    `${count(distinct)} ${distinct === 1 ? 'value' : 'values'} in ${count(rows)} rows${range}.`,
    nulls > 0 ? `${count(nulls)} null.` : '',
    fails > 0 ? `${count(fails)} do not cast.` : '',
    conflicts > 0 ? `${count(conflicts)} keys disagree.` : '',
    reason,
  ];
  return parts.filter((part) => part !== '').join(' ');
};
