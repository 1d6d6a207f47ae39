// Owns what `strata serve` tells a person when it is ready: both addresses, and commands to copy.

import type { Core } from '../open-core.ts';
import { VERSION } from '../version.ts';

/** The text. It names a knowledgebase that is there, so that its commands work as they stand. */
export const welcome = (core: Core, ingestUrl: string, adminUrl: string): string => {
  const found = core.listKnowledgebases();
  const own = found.find(({ id }) => id !== 'demo')?.id ?? found[0]?.id;
  const lines = [
    `Strata ${VERSION}`,
    '',
    `  Producers POST to  ${ingestUrl}/knowledgebase/${own ?? 'KB'}/strata/ingest/STREAM`,
    `  Page               ${adminUrl}`,
    `  Knowledgebases in  ${core.home}${found.length > 0 ? ` (${found.map(({ id }) => id).join(', ')})` : ''}`,
    '',
  ];
  if (own === undefined) {
    lines.push('  There is no knowledgebase yet. Make one: strata kb create main', '');
  } else {
    lines.push(
      '  Send a batch:',
      '',
      `  curl ${ingestUrl}/knowledgebase/${own}/strata/ingest/hello \\`,
      "    -H 'Content-Type: application/x-ndjson' \\",
      `    --data-binary '{"ts":"2026-07-12T14:02:00Z","sensor_id":"sensor-001","celsius":"21.40"}'`,
      '',
      '  Query it:',
      '',
      `  node bin/strata.mjs query ${own} 'SELECT * FROM raw_extracted.stream_hello'`,
      '',
    );
  }
  if (found.some(({ id }) => id === 'demo')) {
    lines.push(
      '  The demo, the mean temperature of each month:',
      '',
      "  node bin/strata.mjs query demo 'SELECT time[:7] AS month, round(avg(temperature_c::DOUBLE), 1) AS celsius",
      "    FROM raw_extracted.stream_weather GROUP BY month ORDER BY month'",
      '',
    );
  }
  lines.push('  Ctrl C stops it; batches under way are answered first.');
  return lines.join('\n');
};
