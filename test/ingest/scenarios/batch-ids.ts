// Scenarios of a producer's batch id: which are taken, and that a bad one never leaves the folder.

import { ONE_ROW, type Scenario } from '../../helpers/scenario.ts';

const taken = (name: string, headers: Readonly<Record<string, string>>, id: string): Scenario => ({
  name: `batch id taken: ${name}`,
  headers,
  status: 200,
  rows: 1,
  expected: [`"batch_id":"${id}"`],
});

const refused = (id: string, field = 'idempotency-key'): Scenario => ({
  name: `batch id refused: ${id.length > 40 ? `${id.length} characters` : id}`,
  headers: { [field]: id },
  status: 400,
  code: 'invalid_batch_id',
  expected: ['"reject_id":', 'Use 1 to 128 characters'],
  keeps: ONE_ROW,
});

const longest = `a${'.'.repeat(126)}z`;

export const BATCH_IDS: readonly Scenario[] = [
  taken('Idempotency-Key', { 'idempotency-key': 'run-1' }, 'run-1'),
  taken('Idempotency-Key in quotes', { 'idempotency-key': '"run-2"' }, 'run-2'),
  taken('X-Batch-Id', { 'x-batch-id': 'run.3_a-b' }, 'run.3_a-b'),
  taken(
    'Idempotency-Key before X-Batch-Id',
    { 'idempotency-key': 'first', 'x-batch-id': 'second' },
    'first',
  ),
  taken('128 characters', { 'idempotency-key': longest }, longest),
  taken('a device name inside', { 'idempotency-key': 'console.log' }, 'console.log'),
  taken(
    'a UUID',
    { 'idempotency-key': '0190B3C4-0000-7000-8000-000000000001' },
    '0190B3C4-0000-7000-8000-000000000001',
  ),
  refused('../x'),
  refused('..'),
  refused('.'),
  refused('../../../../escaped'),
  refused('a/b'),
  refused('a\\b'),
  refused('/tmp/escaped'),
  refused('%2e%2e'),
  refused('.hidden'),
  refused('-a'),
  refused('_a'),
  refused('a b'),
  refused('a:b'),
  refused('a~2'),
  refused('é'),
  refused('""'),
  refused('"a'),
  refused('a, b'),
  refused('"a\\"b"'),
  refused('a'.repeat(129)),
  refused('CON'),
  refused('nul'),
  refused('Aux.parquet'),
  refused('com1.2026'),
  refused('LPT9', 'x-batch-id'),
];
