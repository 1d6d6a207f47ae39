// Owns the words of set-up on stderr: one line a step with the time it took, and what to do when one fails.
// Never writes to stdout: that belongs to the command that set-up makes way for.

/** A step that failed in a way that was foreseen. */
export class SetUpError extends Error {
  /**
   * @param {string} message what failed, as a sentence
   * @param {{ advice?: string, output?: string }} [more] what to do, as sentences; the last lines that the step printed
   */
  constructor(message, { advice = '', output = '' } = {}) {
    super(message);
    this.name = 'SetUpError';
    this.advice = advice;
    this.output = output;
  }
}

/**
 * Runs `work` and prints one line about it, such as `Installing packages ... done, 31 s`.
 * @template T
 * @param {string} words
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(words, work) {
  const started = performance.now();
  process.stderr.write(`${words} ... `);
  try {
    const result = await work();
    process.stderr.write(`done, ${duration(performance.now() - started)}\n`);
    return result;
  } catch (error) {
    process.stderr.write(`failed, ${duration(performance.now() - started)}\n`);
    throw error;
  }
}

/** Milliseconds in the words of a progress line: `0.4 s`, `31 s`, `1 min 40 s`. */
export function duration(ms) {
  const seconds = ms / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Prints why set-up stopped. An error that was not foreseen is shown with its stack. */
export function explain(error) {
  if (!(error instanceof SetUpError)) {
    process.stderr.write(`${error?.stack ?? error}\n`);
    return;
  }
  const lines = [
    ...error.output.split('\n').map((line) => (line === '' ? '' : `    ${line}`)),
    error.message,
    error.advice,
  ];
  process.stderr.write(`${lines.filter((line) => line !== '').join('\n')}\n`);
}

/** Runs a script's main part; where it throws, explains and ends the process with exit code 1. */
export async function runScript(main) {
  try {
    await main();
  } catch (error) {
    explain(error);
    process.exit(1);
  }
}
