// Owns the list of commands and its help. Each command is loaded when it is run, so that a start stays quick.

type Work = (words: readonly string[]) => Promise<void>;

export const COMMANDS: Readonly<Record<string, () => Promise<Work>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  kb: async () => (await import('./kb.ts')).kb,
  stream: async () => (await import('./stream.ts')).stream,
  streams: async () => (await import('./streams.ts')).streams,
  token: async () => (await import('./token.ts')).token,
  query: async () => (await import('./query.ts')).query,
  land: async () => (await import('./land.ts')).land,
  compact: async () => (await import('./compact.ts')).compact,
  verify: async () => (await import('./verify.ts')).verifyCommand,
  repair: async () => (await import('./repair.ts')).repairCommand,
};

export const USAGE = `strata <command> [--home DIR] [--json]

  serve [--host H] [--port N] [--admin-port N] [--open] [--demo]
                                   run the engine and its listener
  kb create ID                     make a knowledgebase
  kb list                          list knowledgebases
  stream create KB STREAM [--columns a,b,c] [--recognise-equal-bodies]
                                   make a stream, with registered columns;
                                   with batches known by their body
  streams KB                       list streams: rows, files, lag, rejects
  land KB STREAM FILE...           land NDJSON files; - is standard input
  query KB SQL [--format table|json|csv|ndjson]
                                   run one reading statement
  compact KB STREAM [--dry-run] [--wait SECONDS]
                                   merge a stream's files into few; --dry-run
                                   says what that would change and gain
  compact undo KB STREAM [--wait SECONDS]
                                   bring back what the newest run replaced
  token create KB [STREAM] [--label TEXT]
  token list KB
  token revoke KB ID               tokens for producers
  verify KB                        prove that nothing is lost or counted twice
  repair KB                        rebuild ledger and views from the folder

  --home DIR    where knowledgebases live; STRATA_HOME, or ~/Strata
  --json        one JSON document on stdout and nothing else
  Exit code: 0 done, 1 failed, 2 wrong use.
`;
