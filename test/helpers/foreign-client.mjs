// Owns being another program with DuckDB: it opens kb.duckdb in its own process, counts in a loop or holds it open.
// Never knows Strata; speaks JSON lines on stdout and stops when its stdin ends.
//
//   count FILE VIEW [MS]  open, count, close, pause, for ever: {"startedAt","endedAt","count"} or {"error"} each time
//   keep FILE VIEW        opens once and counts for ever on the same connection
//   hold FILE MODE        opens READ_ONLY or READ_WRITE, says {"held":true}, and keeps it open
//   ask FILE              for each line of stdin: {"open"}, {"close"} or {"sql"}, answered in order

import { createInterface } from 'node:readline';
import { DuckDBInstance } from '@duckdb/node-api';

const [what, file, word, pause] = process.argv.slice(2);
const say = (document) => process.stdout.write(`${JSON.stringify(document)}\n`);

let stopping = false;
process.stdin.on('end', () => {
  stopping = true;
});
if (what !== 'ask') process.stdin.resume();

const open = async (mode) => {
  const instance = await DuckDBInstance.create(file, { access_mode: mode });
  const connection = await instance.connect();
  const close = () => {
    connection.closeSync();
    instance.closeSync();
  };
  return { connection, close };
};

const count = async (connection) => {
  const startedAt = Date.now();
  const sql = `SELECT count(*) FROM raw_extracted."stream_${word}"`;
  const [[rows]] = (await connection.runAndReadAll(sql)).getRows();
  say({ startedAt, endedAt: Date.now(), count: Number(rows) });
};

const attempt = async (work) => {
  try {
    await work();
  } catch (error) {
    say({ error: error.message });
  }
};

if (what === 'hold') {
  await attempt(async () => {
    const { close } = await open(word);
    say({ held: true });
    await new Promise((resolve) => process.stdin.once('end', resolve));
    close();
  });
} else if (what === 'ask') {
  let opened;
  for await (const line of createInterface({ input: process.stdin })) {
    const { sql, ...other } = JSON.parse(line);
    await attempt(async () => {
      if (other.open) opened = await open('READ_ONLY');
      if (other.close) opened = opened.close();
      if (sql === undefined) say({ ok: true });
      else {
        const rows = (await opened.connection.runAndReadAll(sql)).getRows();
        say({
          rows: rows.map((row) => row.map((value) => (value === null ? null : String(value)))),
        });
      }
    });
  }
} else if (what === 'keep') {
  const { connection, close } = await open('READ_ONLY');
  while (!stopping) await attempt(() => count(connection));
  close();
} else {
  while (!stopping) {
    await attempt(async () => {
      const { connection, close } = await open('READ_ONLY');
      try {
        await count(connection);
      } finally {
        close();
      }
    });
    await new Promise((resolve) =>
      pause ? setTimeout(resolve, Number(pause)) : setImmediate(resolve),
    );
  }
}
say({ done: true });
