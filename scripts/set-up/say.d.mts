// Owns the types of say.mjs for the tests.

/** Prints why set-up stopped. An error that was not foreseen is shown with its stack. */
export function explain(error: unknown): void;
