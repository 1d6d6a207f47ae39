// Owns running vitest with its output shown as it comes, and counting each test from its JSON report.
// Never counts a run that broke off as a passed one.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './set-up/run.mjs';

/**
 * Runs the tests that the filters choose, or all.
 * @param {readonly string[]} filters
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>}
 */
export async function runVitest(filters) {
  const folder = mkdtempSync(join(tmpdir(), 'strata-test-'));
  const report = join(folder, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const args = ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...filters];
    const { code } = await run(process.execPath, args, { inherit: true });
    return count(code, readReport(report));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function count(code, report) {
  const tests = { passed: 0, failed: 0, skipped: 0 };
  for (const file of report?.testResults ?? []) {
    for (const { status } of file.assertionResults) {
      if (status === 'passed' || status === 'failed') tests[status] += 1;
      else tests.skipped += 1;
    }
    // A file that could not be loaded has no tests to count.
    const hasFailed = file.assertionResults.some(({ status }) => status === 'failed');
    if (file.status === 'failed' && !hasFailed) tests.failed += 1;
  }
  // An error outside any test, or no test found.
  if (code !== 0 && tests.failed === 0) tests.failed = 1;
  return tests;
}
