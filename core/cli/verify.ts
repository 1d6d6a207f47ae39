// Owns `strata verify`: the conservation ledger of every stream, and what does not hold.

import { counted, grouped } from '../counted.ts';
import { verify } from '../engine/verify.ts';
import { AppError } from '../errors.ts';
import type { Proof, StreamProof } from '../model.ts';
import { printJson, printLine } from './output.ts';
import { homeOf, readWords } from './usage.ts';
import { withCore } from './with-core.ts';

/** `verify KB`. Exit code 1 with the differences when a promise does not hold. */
export const verifyCommand = async (words: readonly string[]): Promise<void> => {
  const { values, positionals } = readWords(words, ['KB'], {});
  await withCore({ home: homeOf(values.home), writing: false }, async (core) => {
    const proof = await verify(core.knowledgebase(positionals[0]));
    if (values.json) printJson(proof);
    else for (const line of linesOf(proof)) printLine(line);
    if (!proof.holds) {
      const count = proof.streams.reduce((sum, one) => sum + one.differences.length, 0);
      const differences = count + proof.differences.length;
      throw new AppError(
        'verify_failed',
        `${proof.knowledgebase} does not hold: ${differences} ${differences === 1 ? 'difference' : 'differences'}.`,
      );
    }
  });
};

const linesOf = (proof: Proof): string[] => {
  const lines = proof.streams.flatMap(streamLines);
  if (proof.model) {
    const { version, types, views, bound } = proof.model;
    lines.push(
      `${bound === views ? '✓' : '✗'} model v${version}`,
      `    ${types} types, ${bound} of ${views} views bind`,
    );
  }
  lines.push(...proof.differences.map((difference) => `✗ ${difference}`));
  if (proof.streams.length === 0 && proof.holds) lines.push('No stream yet.');
  if (proof.holds) lines.push('Everything holds.');
  return lines;
};

const streamLines = ({ totals, refusals, viewRows, differences }: StreamProof): string[] => {
  const { stream, received, landed, rejected, replayed, refused, rows, files } = totals;
  const { repaired, linesRejected } = totals;
  const lines = [
    `${differences.length === 0 ? '✓' : '✗'} ${stream}`,
    `    received ${grouped(received)} = landed ${grouped(landed)} + rejected ${grouped(rejected)} + replayed ${grouped(replayed)} + refused ${grouped(refused)}`,
    `    ${counted(rows, 'row')} acknowledged in ${counted(files, 'file')}, ${viewRows === null ? 'no view yet' : `${grouped(viewRows)} in the view`}`,
  ];
  if (repaired > 0) {
    const are = repaired === 1 ? 'is a reject' : 'are rejects';
    lines.push(`    ${grouped(repaired)} of these files ${are} that landed later`);
  }
  if (linesRejected > 0) {
    const some = linesRejected === 1 ? 'line' : 'lines';
    lines.push(`    ${grouped(linesRejected)} ${some} stayed behind as rejects`);
  }
  if (refusals.length > 0) {
    const reasons = refusals.map(({ code, times }) => `${code} ${grouped(times)}`);
    lines.push(`    refused: ${reasons.join(', ')}`);
  }
  return [...lines, ...differences.map((difference) => `    ✗ ${difference}`)];
};
