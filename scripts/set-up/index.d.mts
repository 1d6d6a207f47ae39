// Owns the types of index.mjs for the tests.

/** Makes this clone ready to run. Takes a few ms where it already is. Throws SetUpError. */
export function setUp(): Promise<void>;
