// Owns the command line: which commands there are, what is wrong use, how errors leave.
// Never does a command's work; each has a file.

import { AppError } from '../errors.ts';
import { COMMANDS, USAGE, usageOf } from './commands.ts';
import { isUsageError, UsageError } from './usage.ts';

/**
 * Runs one command. Exit code 0 done, 1 failed (one clear line on stderr), 2 wrong use.
 * With --json stdout gets one JSON document and nothing else.
 */
export const run = async (argv: readonly string[]): Promise<void> => {
  // A reader that closed its end (head, less) is no fault.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  try {
    const [name, ...rest] = commandFirst(argv);
    if (name === undefined || (isHelp(name) && rest.length === 0)) {
      process.stdout.write(USAGE);
      if (name === undefined) process.exitCode = 2;
      return;
    }
    const asked = isHelp(name) ? (rest[0] as string) : name;
    const command = Object.hasOwn(COMMANDS, asked) ? COMMANDS[asked] : undefined;
    if (!command) throw new UsageError(`There is no command "${asked}".`);
    if (isHelp(name) || asksForHelp(rest)) {
      process.stdout.write(usageOf(asked));
      return;
    }
    const work = await command();
    await work(rest);
  } catch (error) {
    report(error);
  }
};

/** The options that every command takes may also stand before it. */
const commandFirst = (argv: readonly string[]): readonly string[] => {
  let first = 0;
  for (;;) {
    const word = argv[first] ?? '';
    if (word === '--home' && argv.length > first + 1) first += 2;
    else if (word === '--json' || word.startsWith('--home=')) first += 1;
    else break;
  }
  if (first === 0) return argv;
  if (first === argv.length) throw new UsageError('No command is given.');
  const words = argv.slice(first);
  // What comes after `--` is a name, and no option.
  const end = words.indexOf('--');
  return words.toSpliced(end < 0 ? words.length : end, 0, ...argv.slice(0, first));
};

const isHelp = (word: string): boolean => ['help', '--help', '-h'].includes(word);

const asksForHelp = (words: readonly string[]): boolean => {
  const end = words.indexOf('--');
  return words.slice(0, end < 0 ? words.length : end).some((word) => /^(--help|-h)$/.test(word));
};

const report = (error: unknown): void => {
  if (isUsageError(error)) {
    process.stderr.write(`strata: ${sentence((error as Error).message)} See: strata --help\n`);
    process.exitCode = 2;
    return;
  }
  process.exitCode = 1;
  if (error instanceof AppError) {
    process.stderr.write(`strata: ${sentence(error.message)} ${error.hint}\n`);
    return;
  }
  // A bug: the stack is what a support person needs.
  process.stderr.write(
    `strata: an error inside Strata.\n${(error as Error).stack ?? String(error)}\n`,
  );
};

/** A message as one line that ends like a sentence; those of DuckDB and of parseArgs may do neither. */
const sentence = (message: string): string => {
  const line = message.trim().replace(/\s*[\r\n]+\s*/g, ' ');
  return /[.!?]$/.test(line) ? line : `${line}.`;
};
