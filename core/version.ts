// Owns the version that Strata says it has: that of package.json.

import { version } from '../package.json';

export const VERSION: string = version;
