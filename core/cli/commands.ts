// Owns the list of commands and its help. Each command is loaded when it is run, so that a start stays quick.

type Work = (words: readonly string[]) => Promise<void>;

export const COMMANDS: Readonly<Record<string, () => Promise<Work>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  kb: async () => (await import('./kb.ts')).kb,
  stream: async () => (await import('./stream.ts')).stream,
  streams: async () => (await import('./streams.ts')).streams,
  rejects: async () => (await import('./rejects.ts')).rejects,
  token: async () => (await import('./token.ts')).token,
  query: async () => (await import('./query.ts')).query,
  land: async () => (await import('./land.ts')).land,
  promote: async () => (await import('./promote.ts')).promote,
  model: async () => (await import('./model.ts')).model,
  compact: async () => (await import('./compact.ts')).compact,
  verify: async () => (await import('./verify.ts')).verifyCommand,
  repair: async () => (await import('./repair.ts')).repairCommand,
};

export const USAGE = `strata <command> [--home DIR] [--json]

  serve [--host H] [--port N] [--admin-port N] [--new-admin-token] [--open]
        [--demo] [--header-timeout SECONDS] [--body-timeout SECONDS]
                                   run the engine and its listener; the page's
                                   address stays good until a new token is made
  kb create ID                     make a knowledgebase
  kb list                          list knowledgebases
  kb open DIR                      open a knowledgebase that is anywhere on disk
  kb forget ID                     take one off the list; its folder stays
  stream create KB STREAM [--columns a,b,c] [--recognise-equal-bodies]
                [--date-folders]   make a stream, with registered columns;
                                   with batches known by their body;
                                   with a folder for each day of landing
  streams KB                       list streams: rows, files, lag, rejects
  land KB STREAM FILE...           land NDJSON files; - is standard input
  query KB SQL [--format table|json|csv|ndjson] [--timeout SECONDS]
                                   run one reading statement
  compact KB STREAM [--dry-run] [--wait SECONDS]
                                   merge a stream's files into few; --dry-run
                                   says what that would change and gain
  compact undo KB STREAM [--wait SECONDS]
                                   bring back what the newest run replaced
  rejects list KB [STREAM] [--state STATE] [--code CODE] [--limit N]
                                   what was rejected: open, replayed, discarded
  rejects show KB ID               one reject: its faults, its lines, its tries
  rejects replay KB ID [--body FILE]
                                   land it as it came, or with the body in FILE;
                                   - is standard input
  rejects discard KB ID            put it aside
  rejects reopen KB ID             take that back
                                   ID is the reject's, or STREAM/ID
  promote KB STREAM [--apply] [--by NAME] [--why TEXT]
                                   plan the model of a stream; --apply makes it
                                   the next version, with its views
  model show KB [--version N] [--format markdown|json]
  model versions KB
  model diff KB FROM TO
  model restore KB VERSION [--by NAME] [--why TEXT]
  model refuse KB STREAM           the model, its versions, a plan refused
  model store KB [none|sqlite|URL] [--model NAME]
                                   where the model is kept
  token create KB [STREAM] [--label TEXT]
  token list KB
  token revoke KB ID               tokens for producers
  verify KB                        prove that nothing is lost or counted twice
  repair KB                        rebuild ledger and views from the folder

  --home DIR    where knowledgebases live; STRATA_HOME, or ~/Strata
  --json        one JSON document on stdout and nothing else
  Exit code: 0 done, 1 failed, 2 wrong use.
`;

/** The help of one command: its lines of the whole, and the options that all have. */
export const usageOf = (name: string): string => {
  const [first, ...parts] = USAGE.split('\n\n');
  const [commands = '', options = ''] = parts;
  // A line with two spaces before it begins an entry; those with more go on with it.
  const entries = commands.split(/\n(?= {2}\S)/).map((entry) => entry.replace(/^\n/, ''));
  const own = entries.filter((entry) => entry.trimStart().split(/\s/, 1)[0] === name);
  return [first, own.join('\n'), options].join('\n\n');
};
