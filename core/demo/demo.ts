// Owns the demo: a knowledgebase `demo` with a year of hourly weather, landed as producers would land it.
// Never runs unless it is asked for; running it again adds nothing.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Core } from '../open-core.ts';
import csv from './seattle-hourly-normals.csv?raw';

export const DEMO = { knowledgebase: 'demo', stream: 'weather' } as const;

/** Lands the demo, one batch a month, each under an id of its own. Returns how many rows are new. */
export const landDemo = async (core: Core): Promise<number> => {
  const { knowledgebase, stream } = DEMO;
  if (!core.listKnowledgebases().some(({ id }) => id === knowledgebase)) {
    const folder = join(core.home, knowledgebase);
    // It may be there, but off the list.
    if (existsSync(folder)) await core.openFolder(folder);
    else core.createKnowledgebase(knowledgebase);
  }
  // It is asked for, so that it needs no first POST to make it.
  core.knowledgebase(knowledgebase).streams.ensure(stream);
  let rows = 0;
  for (const [month, lines] of months(csv)) {
    const landing = await core.land(knowledgebase, stream, {
      body: new TextEncoder().encode(lines.join('\n')),
      batchId: `seattle-${month}`,
      sender: 'demo',
      contentType: 'application/x-ndjson',
      receivedAt: new Date().toISOString(),
    });
    if (!landing.replayed) rows += landing.rows;
  }
  return rows;
};

/** NDJSON lines by month. Numbers stay as the source wrote them: 4.0 lands as 4.0. */
const months = (text: string): Map<string, string[]> => {
  const found = new Map<string, string[]>();
  const [head, ...rows] = text.trim().split('\n') as [string, ...string[]];
  const [, ...names] = head.split(',');
  for (const row of rows) {
    const [time, ...values] = row.split(',') as [string, ...string[]];
    const fields = names.map((name, index) => `${JSON.stringify(name)}:${values[index]}`);
    const line = `{"time":${JSON.stringify(time)},"station":"Seattle",${fields.join(',')}}`;
    const month = time.slice(0, 7);
    found.set(month, [...(found.get(month) ?? []), line]);
  }
  return found;
};
