// Owns the types of postgres.mjs, for the tests.

export function providePostgres(): Promise<void>;
