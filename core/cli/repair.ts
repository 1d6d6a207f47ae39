// Owns `strata repair`: ledger and views rebuilt from the folder.

import { grouped } from '../counted.ts';
import { printJson, printLine } from './output.ts';
import { homeOf, readWords } from './usage.ts';
import { withCore } from './with-core.ts';

/** `repair KB`. */
export const repairCommand = async (words: readonly string[]): Promise<void> => {
  const { values, positionals } = readWords(words, ['KB'], {});
  await withCore({ home: homeOf(values.home), writing: true }, async (core) => {
    const done = await core.repair(positionals[0]);
    const { views } = core.knowledgebase(positionals[0]);
    if (values.json) {
      printJson({ ...done, viewsWaitingFor: views.waitingFor });
      return;
    }
    printLine(`Recorded ${grouped(done.recorded)} landed files.`);
    if (done.damagedLedger) printLine(`The damaged ledger was kept: ${done.damagedLedger}`);
    for (const file of done.missing) printLine(`Missing, its rows are lost: ${file}`);
    for (const file of done.setAside) printLine(`Set aside in failed/: ${file}`);
    for (const stream of done.broken) printLine(`Takes nothing in until it is mended: ${stream}`);
    printLine(views.waitingFor ? `The views wait: ${views.waitingFor}` : 'The views are in line.');
  });
};
