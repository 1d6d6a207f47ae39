// Owns `npm run build`: makes the clone ready and dist/ current.
// Never starts anything.

import { setUp } from './set-up/index.mjs';
import { runScript } from './set-up/say.mjs';

await runScript(setUp);
process.stderr.write('dist/ is current.\n');
