// Owns the types of binding.mjs for the configuration of vitest.

/** The path that better-sqlite3 takes as its option `nativeBinding`; undefined where it needs none. */
export function bindingPath(): string | undefined;
