// Owns the texts that send a batch to a stream: commands and configurations of shippers, ready to copy.
// Never renders, and never asks the engine; what it is told is what it writes.

/** Where batches go, and what holds there. */
export interface Target {
  /** `http://host:port` of the listener. */
  readonly ingestUrl: string;
  readonly knowledgebase: string;
  readonly stream: string;
  readonly maxBodyBytes: number;
  readonly needsToken: boolean;
  /** Registered columns; null where any field is welcome. */
  readonly columns: readonly string[] | null;
}

/** One tab: a tool, what to copy for it, and what to know about it. */
export interface Shipper {
  readonly name: string;
  readonly text: (target: Target) => string;
  readonly note: (target: Target) => string;
}

const PATH = '/knowledgebase/{kb}/strata/ingest/{stream}';

const pathOf = ({ knowledgebase, stream }: Target): string =>
  PATH.replace('{kb}', knowledgebase).replace('{stream}', stream);

/** The address that batches of a stream are POSTed to. */
export const addressOf = (target: Target): string => `${target.ingestUrl}${pathOf(target)}`;

const SAMPLE = { ts: '2026-07-12T14:02:00Z', sensor_id: 'sensor-001', celsius: '21.40' };

/** One row as JSON: of the registered columns where there are some, so that it lands. */
export const sampleOf = ({ columns }: Target): string =>
  JSON.stringify(
    columns === null
      ? SAMPLE
      : Object.fromEntries(columns.slice(0, 4).map((column) => [column, '1'])),
  );

/** Half the limit: shippers count a batch before they write it as JSON, which makes it longer. */
const safeBytes = ({ maxBodyBytes }: Target): number => Math.floor(maxBodyBytes / 2);

const inShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const inPowerShell = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const lines = (...parts: readonly (string | false)[]): string =>
  parts.filter((part) => part !== false).join('\n');

const OWN_ID =
  'Give every batch an id of its own. The same id with the same body is known again and lands once.';

const REPEATS =
  'It sends no batch id: with “Know a batch by its body” on the stream, a repeat does not land twice.';

const curl: Shipper = {
  name: 'curl',
  text: (target) =>
    lines(
      `curl ${addressOf(target)} \\`,
      `  -H 'Content-Type: application/x-ndjson' \\`,
      `  -H 'Idempotency-Key: ${target.stream}-1' \\`,
      target.needsToken && `  -H "Authorization: Bearer $STRATA_TOKEN" \\`,
      `  --data-binary ${inShell(sampleOf(target))}`,
    ),
  note: () => OWN_ID,
};

const powerShell: Shipper = {
  name: 'PowerShell',
  text: (target) =>
    lines(
      'Invoke-RestMethod -Method Post `',
      `  -Uri '${addressOf(target)}' \``,
      "  -ContentType 'application/x-ndjson; charset=utf-8' `",
      target.needsToken
        ? `  -Headers @{ 'Idempotency-Key' = '${target.stream}-1'; 'Authorization' = "Bearer $env:STRATA_TOKEN" } \``
        : `  -Headers @{ 'Idempotency-Key' = '${target.stream}-1' } \``,
      `  -Body ${inPowerShell(sampleOf(target))}`,
    ),
  note: () => OWN_ID,
};

const python: Shipper = {
  name: 'Python',
  text: (target) =>
    lines(
      'import json',
      target.needsToken && 'import os',
      'import urllib.error',
      'import urllib.request',
      '',
      `rows = [${sampleOf(target)}]`,
      '',
      'request = urllib.request.Request(',
      `    "${addressOf(target)}",`,
      String.raw`    data="\n".join(json.dumps(row) for row in rows).encode(),`,
      '    headers={',
      '        "Content-Type": "application/x-ndjson",',
      `        "Idempotency-Key": "${target.stream}-1",`,
      target.needsToken && '        "Authorization": "Bearer " + os.environ["STRATA_TOKEN"],',
      '    },',
      ')',
      'try:',
      '    with urllib.request.urlopen(request, timeout=60) as answer:',
      '        print(answer.status, answer.read().decode())',
      'except urllib.error.HTTPError as answer:',
      '    print(answer.code, answer.read().decode())',
    ),
  note: () => `Needs nothing but Python 3. ${OWN_ID}`,
};

const node: Shipper = {
  name: 'Node',
  text: (target) =>
    lines(
      `const rows = [${sampleOf(target)}];`,
      '',
      `const answer = await fetch('${addressOf(target)}', {`,
      "  method: 'POST',",
      '  headers: {',
      "    'Content-Type': 'application/x-ndjson',",
      `    'Idempotency-Key': '${target.stream}-1',`,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a template.
      target.needsToken && '    Authorization: `Bearer ${process.env.STRATA_TOKEN}`,',
      '  },',
      String.raw`  body: rows.map((row) => JSON.stringify(row)).join('\n'),`,
      '});',
      'console.log(answer.status, await answer.text());',
    ),
  note: () => `Save it as send.mjs; Node 18 or newer. ${OWN_ID}`,
};

const vector: Shipper = {
  name: 'Vector',
  text: (target) =>
    lines(
      '# vector.yaml; name your source or transform in inputs',
      'sinks:',
      '  strata:',
      '    type: http',
      '    inputs: [your_source]',
      `    uri: ${addressOf(target)}`,
      '    method: post',
      '    encoding:',
      '      codec: json',
      '    framing:',
      '      method: newline_delimited',
      '    request:',
      '      headers:',
      '        Content-Type: application/x-ndjson',
      target.needsToken && '        Authorization: Bearer PUT-THE-TOKEN-HERE',
      '    batch:',
      `      max_bytes: ${safeBytes(target)}`,
      '      timeout_secs: 1',
      '    acknowledgements:',
      '      enabled: true',
    ),
  note: () =>
    `Vector sends again after 429 and 5xx and drops what gets another 4xx; rejected bodies are kept here. ${REPEATS}`,
};

/** A chunk of Fluent Bit is about 2 MB before it is written as JSON, and cannot be made smaller. */
const FLUENT_BIT_NEEDS = 8_000_000;

const fluentBit: Shipper = {
  name: 'Fluent Bit',
  text: (target) => {
    const { hostname, port, protocol } = new URL(target.ingestUrl);
    return lines(
      '# fluent-bit.conf; Match takes what your inputs are tagged with',
      '[OUTPUT]',
      '    Name                      http',
      '    Match                     *',
      `    Host                      ${hostname.replace(/^\[|\]$/g, '')}`,
      `    Port                      ${port || (protocol === 'https:' ? '443' : '80')}`,
      `    URI                       ${pathOf(target)}`,
      '    Format                    json_lines',
      '    Header                    Content-Type application/x-ndjson',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Fluent Bit fills it in from its environment.
      target.needsToken && '    Header                    Authorization Bearer ${STRATA_TOKEN}',
      '    Allow_Duplicated_Headers  false',
      '    Json_Date_Key             date',
      '    Json_Date_Format          iso8601',
      '    Retry_Limit               no_limits',
    );
  },
  note: ({ maxBodyBytes }) =>
    maxBodyBytes < FLUENT_BIT_NEEDS
      ? `Its chunks are about 2 MB and longer as JSON; one over the limit gets 413 and is dropped. Set the limit to 8 MB in Settings first. ${REPEATS}`
      : `Fluent Bit sends again after 408, 429 and 5xx and drops what gets another 4xx; rejected bodies are kept here. ${REPEATS}`,
};

const syslogNg: Shipper = {
  name: 'syslog-ng',
  text: (target) =>
    lines(
      '# syslog-ng.conf, 3.25 or newer; name your own source in the log statement',
      'destination d_strata {',
      '  http(',
      `    url("${addressOf(target)}")`,
      '    method("POST")',
      target.needsToken
        ? '    headers("Content-Type: application/x-ndjson", "Authorization: Bearer PUT-THE-TOKEN-HERE")'
        : '    headers("Content-Type: application/x-ndjson")',
      '    body("$(format-json --scope rfc5424 --key ISODATE)")',
      String.raw`    delimiter("\n")`,
      '    batch-lines(1000)',
      `    batch-bytes(${safeBytes(target)})`,
      '    batch-timeout(1000)',
      '    response-action(400 => drop, 413 => drop, 415 => drop, 422 => drop)',
      '  );',
      '};',
      'log { source(s_src); destination(d_strata); flags(flow-control); };',
    ),
  note: () =>
    `syslog-ng sends again for ever, and nothing after it, unless response-action says drop; what gets 400, 415 or 422 is kept here. ${REPEATS}`,
};

/** Every tool, in the order of the tabs. */
export const SHIPPERS: readonly Shipper[] = [
  curl,
  powerShell,
  python,
  node,
  vector,
  fluentBit,
  syslogNg,
];

/** A piece of a text and how it is drawn. */
export interface Piece {
  readonly kind: 'plain' | 'string' | 'comment' | 'stream';
  readonly text: string;
}

/** Cuts a text into pieces: comments, strings, and the stream's name where it ends the address. */
export const piecesOf = (text: string, stream: string): Piece[] => {
  const pieces: Piece[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (at > 0) pieces.push({ kind: 'plain', text: '\n' });
    if (line.startsWith('#')) pieces.push({ kind: 'comment', text: line });
    else pieces.push(...stringsOf(line).flatMap((piece) => splitAtStream(piece, stream)));
  }
  return pieces;
};

const STRING = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g;

const stringsOf = (line: string): Piece[] => {
  const pieces: Piece[] = [];
  let from = 0;
  for (const found of line.matchAll(STRING)) {
    if (found.index > from) pieces.push({ kind: 'plain', text: line.slice(from, found.index) });
    pieces.push({ kind: 'string', text: found[0] });
    from = found.index + found[0].length;
  }
  if (from < line.length) pieces.push({ kind: 'plain', text: line.slice(from) });
  return pieces;
};

const splitAtStream = (piece: Piece, stream: string): Piece[] => {
  const before = `/ingest/${stream}`;
  const at = piece.text.indexOf(before);
  if (at < 0) return [piece];
  const start = at + before.length - stream.length;
  const rest = piece.text.slice(start + stream.length);
  return [
    { kind: piece.kind, text: piece.text.slice(0, start) },
    { kind: 'stream', text: stream },
    ...(rest ? [{ kind: piece.kind, text: rest }] : []),
  ];
};
