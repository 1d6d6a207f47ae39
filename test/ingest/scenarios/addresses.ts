// Scenarios of the listener's addresses: unknown routes, ids of streams and knowledgebases.

import type { Scenario } from '../../helpers/scenario.ts';

const nowhere = (path: string): Scenario => ({
  name: `unknown route: ${path}`,
  path,
  status: 404,
  code: 'no_such_route',
  forbidden: ['reject_id', 'nope'],
});

const badStream = (shown: string, part = shown): Scenario => ({
  name: `not a stream id: ${shown}`,
  path: `/knowledgebase/lab/strata/ingest/${part}`,
  status: 404,
  code: 'invalid_stream_id',
  expected: ['Use 1 to 63 characters'],
  forbidden: ['reject_id'],
});

const noKnowledgebase = (id: string): Scenario => ({
  name: `no such knowledgebase: ${id}`,
  path: `/knowledgebase/${id}/strata/ingest/readings`,
  status: 404,
  code: 'no_such_knowledgebase',
  expected: ['strata kb create'],
  forbidden: ['reject_id'],
});

export const ADDRESSES: readonly Scenario[] = [
  nowhere('/nope'),
  nowhere('/knowledgebase/lab/strata/ingest/'),
  nowhere('/knowledgebase/lab/strata/ingest'),
  nowhere('/knowledgebase//strata/ingest/readings'),
  nowhere('/knowledgebase/lab/strata/ingest/a/b'),
  nowhere('/knowledgebase/lab/strata/ingest/../ingest/readings'),
  nowhere('//knowledgebase/lab/strata/ingest/readings'),
  nowhere('/Knowledgebase/lab/strata/ingest/readings'),
  nowhere('/knowledgebase/lab/strata/ingest/%E0%A4%A'),
  nowhere('/knowledgebase/lab/strata/ingest/%'),
  nowhere('http://127.0.0.1/knowledgebase/lab/strata/ingest/readings'),
  nowhere('/rpc/knowledgebases/list'),
  badStream('..'),
  badStream('.'),
  badStream('%2e%2e'),
  badStream('a%2Fb'),
  badStream('..%2F..%2Fdata'),
  badStream('a%5Cb'),
  badStream('a%00b'),
  badStream('a.b'),
  badStream('a%20b'),
  badStream('a:b'),
  badStream('_a'),
  badStream('-a'),
  badStream('%C3%A4'),
  badStream('%7Bstream%7D'),
  badStream('CON'),
  badStream('nul'),
  badStream('Com1'),
  badStream('lpt9'),
  badStream('aux'),
  badStream('PRN'),
  badStream('64 characters', 'a'.repeat(64)),
  badStream('10,000 characters', 'a'.repeat(10_000)),
  noKnowledgebase('nowhere'),
  noKnowledgebase('..'),
  noKnowledgebase('%2e%2e'),
  noKnowledgebase('lab%2Fstrata'),
  noKnowledgebase('%20'),
  {
    name: 'a percent-encoded letter is that letter',
    path: '/knowledgebase/l%61b/strata/ingest/{stream}',
    status: 200,
    rows: 1,
  },
  {
    name: 'a knowledgebase id is compared without case',
    path: '/knowledgebase/LAB/strata/ingest/{stream}',
    status: 200,
    rows: 1,
  },
  {
    name: 'a query string and a last slash change nothing',
    path: '/knowledgebase/lab/strata/ingest/{stream}/?source=shipper',
    status: 200,
    rows: 1,
  },
];
