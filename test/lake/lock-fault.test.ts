// Who has kb.duckdb open, as DuckDB says it on each system, and as a person is told.

import { expect, it } from 'vitest';
import type { AppError } from '../../core/errors.ts';
import { lockFault } from '../../core/lake/duckdb.ts';

const unix = (holder: string): string =>
  `IO Error: Could not set lock on file "/k/kb.duckdb": Conflicting lock is held in ${holder}. See also https://duckdb.org/docs/stable/connect/concurrency`;
const windows = (said: string, holder: string): string =>
  `IO Error: Cannot open file "C:\\k\\kb.duckdb": ${said}\r\n\nFile is already open in \n${holder}`;
const USED = 'The process cannot access the file because it is being used by another process.';

const DBX = 'D:\\Program Files (x86)\\DBX\\dbx.EXE';
const PLUS = '/Applications/TablePlus.app/Contents/MacOS/TablePlus';

it.each<[string, string, object]>([
  [
    unix('/usr/bin/node (PID 12) by user root'),
    'node (pid 12)',
    { name: 'node', program: '/usr/bin/node', pid: 12 },
  ],
  [
    unix('/opt/my tools/bin/dbeaver (deleted) (PID 4121)'),
    'dbeaver (pid 4121)',
    { name: 'dbeaver', program: '/opt/my tools/bin/dbeaver (deleted)', pid: 4121 },
  ],
  [unix(`${PLUS} (PID 7)`), 'TablePlus (pid 7)', { name: 'TablePlus', program: PLUS, pid: 7 }],
  [unix('PID 31'), 'another program (pid 31)', { pid: 31 }],
  [unix('PID 0'), 'another program', {}],
  [windows(USED, `${DBX} (PID 3528)`), 'dbx (pid 3528)', { name: 'dbx', program: DBX, pid: 3528 }],
  [
    windows('另一个程序正在使用此文件，进程无法访问。', `${DBX} (PID 3528)`),
    'dbx (pid 3528)',
    { name: 'dbx', program: DBX, pid: 3528 },
  ],
  [`IO Error: Cannot open file "C:\\k": ${USED}`, 'another program', {}],
])('%s', (message, who, details) => {
  const { code, message: told, details: known } = lockFault(new Error(message)) as AppError;
  expect([code, told, known]).toEqual(['duckdb_locked', `kb.duckdb is open in ${who}.`, details]);
});

it('any other error stays what it is', () => {
  const error = new Error('IO Error: No such file');
  expect(lockFault(error)).toBe(error);
});
