// Owns a process that opens a ledger, makes sure of a stream, and ends: PATH STREAM.

import { openLedger } from '../../core/ledger/open.ts';

const [path, stream] = process.argv.slice(2) as [string, string];
const ledger = openLedger(path);
ledger.streams.ensure(stream, '2026-01-01T00:00:00.000Z');
ledger.close();
