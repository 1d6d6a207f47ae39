// Owns how the command that replays a mended body is shown: whole, never broken within a word. Never runs it.

/** `strata rejects replay KB ID --body FILE`. */
export const ReplayCommand = () => (
  <code className="replay-command">strata rejects replay KB ID --body FILE</code>
);
