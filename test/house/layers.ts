// Owns who may import whom, as tables, and finding what breaks them.
// Never reads the tree.

import type { Finding, SourceFile, SourceImport } from './sources.ts';

/** Each of these packages is imported by one file alone. Tests may import them to look from outside. */
export const SOLE_IMPORTERS: Readonly<Record<string, string>> = {
  '@duckdb/node-api': 'core/lake/duckdb.ts',
  'better-sqlite3': 'core/sqlite.ts',
  pg: 'core/ontology/store/postgres-client.ts',
};

/** Each of these parts of Electron is used by one file alone: the two ends of what page and shell say to each other. */
const SOLE_USERS: Readonly<Record<string, string>> = {
  ipcMain: 'electron/handlers.ts',
  ipcRenderer: 'electron/preload.ts',
  contextBridge: 'electron/preload.ts',
};

/** A folder or file, what it must not import, and why. A folder ends in a slash. */
interface Barrier {
  readonly from: string;
  readonly never: readonly string[];
  readonly except?: readonly string[];
  readonly why: string;
}

const JOINED = 'ingest, lake and ledger never import each other; pipeline and index join them';
const DOWNWARD = 'what joins the rooms is not imported by them';
const FACES = ['core/index.ts', 'core/cli/', 'core/admin/', 'core/engine/'];

/** The barriers between folders, by type imports too. */
const BARRIERS: readonly Barrier[] = [
  { from: 'core/ingest/', never: ['core/lake/', 'core/ledger/'], why: JOINED },
  { from: 'core/lake/', never: ['core/ingest/', 'core/ledger/'], why: JOINED },
  { from: 'core/ledger/', never: ['core/ingest/', 'core/lake/'], why: JOINED },
  {
    from: 'core/knowledgebase/',
    never: ['core/ingest/', 'core/lake/', 'core/ledger/'],
    why: 'knowledgebase owns folders and the lock, not what is in them',
  },
  {
    from: 'core/ontology/',
    never: ['core/ingest/', 'core/landing/', 'core/rejects/', ...FACES, 'core/pipeline.ts'],
    why: 'ontology reads what has landed, whoever landed it, and is joined by the engine',
  },
  ...['core/ingest/', 'core/lake/', 'core/ledger/', 'core/knowledgebase/'].map((from) => ({
    from,
    never: ['core/ontology/'],
    why: 'the model is made of what they hold; they know nothing of it',
  })),
  { from: 'core/ingest/', never: FACES, why: DOWNWARD },
  { from: 'core/lake/', never: [...FACES, 'core/pipeline.ts'], why: DOWNWARD },
  { from: 'core/ledger/', never: [...FACES, 'core/pipeline.ts'], why: DOWNWARD },
  { from: 'core/knowledgebase/', never: [...FACES, 'core/pipeline.ts'], why: DOWNWARD },
  {
    from: 'core/',
    never: ['electron/', 'renderer/', 'test/', 'scripts/', 'bin/'],
    why: 'core runs without a window, and without what surrounds it',
  },
  {
    from: 'electron/',
    never: ['core/', 'renderer/', 'test/', 'scripts/'],
    except: ['core/index.ts', 'core/contract.ts', 'core/model.ts', 'core/errors.ts'],
    why: 'electron imports core only by its face',
  },
  {
    from: 'renderer/',
    never: ['core/', 'electron/', 'test/', 'scripts/'],
    except: ['core/contract.ts', 'core/model.ts', 'core/errors.ts', 'electron/ipc.ts'],
    why: 'renderer knows of core only contract, model and errors, of electron only ipc',
  },
  {
    from: 'renderer/ui/',
    never: ['core/', 'electron/', 'renderer/'],
    except: ['renderer/ui/'],
    why: 'ui knows nothing of the domain',
  },
];

/** These packages belong to the window. */
const WINDOW_PACKAGES = ['electron', 'react', 'react-dom'];

/** Everything that breaks the tables above. */
export function findLayerFaults(sources: readonly SourceFile[]): Finding[] {
  return sources.flatMap((source) =>
    [...source.imports.flatMap((found) => faultsOf(source.path, found)), ...nameFaults(source)].map(
      (says) => ({ path: source.path, says }),
    ),
  );
}

function nameFaults({ path, text, imports }: SourceFile): string[] {
  if (path.startsWith('test/')) return [];
  if (!imports.some(({ packageName }) => packageName === 'electron')) return [];
  const clauses = text.match(/import[^;]*from 'electron'/g)?.join(' ') ?? '';
  return Object.entries(SOLE_USERS)
    .filter(([name, user]) => path !== user && new RegExp(`\\b${name}\\b`).test(clauses))
    .map(([name, user]) => `uses ${name}, but only ${user} does`);
}

function faultsOf(path: string, found: SourceImport): string[] {
  if (found.packageName !== undefined) return packageFaults(path, found.packageName);
  const { file = '', typeOnly } = found;
  const faults = BARRIERS.filter((barrier) => breaks(barrier, path, file)).map(
    ({ why }) => `imports ${file}, but ${why}`,
  );
  if (path.startsWith('renderer/') && /^(core|electron)\//.test(file) && !typeOnly) {
    faults.push(`imports ${file} at run time, but renderer imports from there only types`);
  }
  const [mine, other] = [screenOf(path), screenOf(file)];
  if (mine !== undefined && other !== undefined && mine !== other) {
    faults.push(`imports ${file}, but a screen never imports another screen`);
  }
  return faults;
}

function packageFaults(path: string, packageName: string): string[] {
  const sole = SOLE_IMPORTERS[packageName];
  if (sole !== undefined && path !== sole && !path.startsWith('test/')) {
    return [`imports ${packageName}, but only ${sole} does`];
  }
  if (WINDOW_PACKAGES.includes(packageName) && path.startsWith('core/')) {
    return [`imports ${packageName}, but core runs without a window`];
  }
  if (packageName === 'electron' && path.startsWith('renderer/')) {
    return ['imports electron, but the page has only what the preload script gives it'];
  }
  return [];
}

function breaks({ from, never, except = [] }: Barrier, path: string, file: string): boolean {
  return isIn(path, [from]) && isIn(file, never) && !isIn(file, except);
}

function isIn(path: string, places: readonly string[]): boolean {
  return places.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place));
}

function screenOf(path: string): string | undefined {
  return /^renderer\/screens\/([^/]+)\//.exec(path)?.[1];
}
