// Owns waiting for a condition that no event tells: it is asked again and again until a deadline.
// Never waits a fixed time: the first true answer ends it.

const PAUSE_MS = 15;

/** Asks until the answer is neither undefined nor false, and returns it. Fails with `what` after `timeoutMs`. */
export const until = async <T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 15_000,
): Promise<T> => {
  const giveUpAt = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > giveUpAt) throw new Error(`After ${timeoutMs} ms still not: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
};
