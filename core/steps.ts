// Owns the named steps of a landing and of a compaction at which a crash test may stop the process.
// Never does anything unless STRATA_CRASH_AT or STRATA_STOP_AT is set, which only tests do.

/** The steps of a batch, in order, of what follows it, and of a promotion. A kill at any of them must lose and double nothing. */
export type Step =
  | 'stage' // the file is in _tmp/, not yet synced
  | 'fsync' // the file is synced, not yet in data/
  | 'folder' // the folder of the day is made, not yet synced in data/
  | 'rename' // the file is in data/, its folder not yet synced
  | 'ledger' // the file is durable, not yet in the ledger
  | 'answer' // the ledger has it, the producer has no answer
  | 'reject' // the body of a reject is in failed/, its reason is not
  | 'part' // the bad lines of a batch are in failed/, its good ones are not yet in data/
  | 'repaired' // a reject has landed, nothing says so but its file
  | 'state' // the ledger says what became of a reject, the folder does not
  | 'view' // the view's statement has run, nothing is checkpointed
  | 'snapshot' // a promotion's table is made, not committed
  | 'plan' // everything is measured, no plan is recorded
  | 'model-views' // the ontology's views are made, not committed; the version is not recorded
  | 'model-record' // the version is recorded, its views are not committed
  | 'model-copy' // the views are committed, the version's copy is not in the folder
  // A compaction and its undo. In an undo, "made" and "originals" change places from 'switched' to 'arrived'.
  | 'merged' // the made files are in _tmp/, synced, not yet compared
  | 'journal' // the journal is there, no file has moved
  | 'leaving' // some originals are in their folder of transit in data/, others not yet
  | 'left' // all are; the view is still its own
  | 'switched' // the swap's view is checkpointed: it shows the made files
  | 'gone' // the originals are out of data/
  | 'arrived' // the made files are in their folder of transit in data/
  | 'back' // the view is its own again
  | 'placed' // every file is in its place, the journal does not say so yet
  | 'moved' // the journal says so, the ledger is behind
  | 'recording' // the ledger has some batches where the swap put them, others not yet
  | 'recorded' // the ledger is in line, the journal is still there
  | 'retired'; // originals are out of reach of an undo, not yet deleted

/** The n-th of a step that is wanted, as `step:n` says. */
const counted = (wanted: string | undefined): ((step: Step) => boolean) => {
  const [name, count] = (wanted ?? '').split(':');
  let left = Number(count ?? 1);
  return (step) => step === name && --left === 0;
};
const isCrash = counted(process.env.STRATA_CRASH_AT);
const isStop = counted(process.env.STRATA_STOP_AT);

/**
 * Marks a step. With STRATA_CRASH_AT=`step:n` the n-th one of this thread kills the process as a power cut would; with
 * STRATA_STOP_AT it stops the process until somebody lets it go on (SIGCONT).
 */
export const atStep = (step: Step): void => {
  if (isCrash(step)) process.kill(process.pid, 'SIGKILL');
  if (!isStop(step)) return;
  process.kill(process.pid, 'SIGSTOP');
  // The signal may take a moment to reach this thread, which goes no further until then.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
};
