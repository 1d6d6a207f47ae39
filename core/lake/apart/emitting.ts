// Owns making a task's steps of work that tells by calling back. Never loses what was told.

/** The events that `work` emits, in order, then what it returns. It goes on whether or not they are asked for. */
export async function* emitting<E, O>(
  work: (emit: (event: E) => void) => Promise<O>,
): AsyncGenerator<E, O, void> {
  let told: E[] = [];
  let wake = (): void => {};
  const emit = (event: E): void => {
    told.push(event);
    wake();
  };
  let isOver = false;
  const done = work(emit).finally(() => {
    isOver = true;
    wake();
  });
  // It is heard below, after what was told before it.
  done.catch(() => {});
  for (;;) {
    const events = told;
    told = [];
    yield* events;
    if (told.length > 0) continue;
    if (isOver) return done;
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (isOver || told.length > 0) resolve();
    });
  }
}
