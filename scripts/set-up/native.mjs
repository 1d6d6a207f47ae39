// Owns building better-sqlite3's compiled part: once for a version and a Node-API, into the user's cache.
// Never changes node_modules, and does nothing where the compiled part in the package fits (Node >= 22.14).

import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bindingPath, needsBinding } from './binding.mjs';
import { byHand, provide } from './debian.mjs';
import { root } from './places.mjs';
import { npm, run, tail } from './run.mjs';
import { SetUpError, step } from './say.mjs';

const NODE_GYP = 'node-gyp@12.4.0';
const PACKAGE = join(root, 'node_modules', 'better-sqlite3');
const NO_NEED = 'Node >= 22.14 needs no compiler and none of this.';

/** What makes headers older than Node-API 10 offer the functions that came with it. */
const DEFINES = ['NAPI_EXPERIMENTAL', 'NODE_API_EXPERIMENTAL_NOGC_ENV_OPT_OUT'];

/** Builds the compiled part where it is needed and the cache has none that loads. */
export async function buildNative() {
  if (!needsBinding() || process.env.STRATA_SQLITE_BINDING) return;
  const path = bindingPath();
  if (path === undefined) throw new SetUpError('better-sqlite3 is not in node_modules.');
  if (await loads(path)) return;
  await requireCompiler();
  await step('Building SQLite for this Node, once, in one to two minutes', () => buildInto(path));
}

async function requireCompiler() {
  // On Windows and macOS the compiler is not a matter of the PATH; node-gyp finds it, or says what is missing.
  if (process.platform !== 'linux' || (await provide('compiler'))) return;
  throw new SetUpError(
    `On Node ${process.versions.node}, SQLite has to be built, and a C++ compiler, make or python3 is missing.`,
    { advice: `Install them (Debian: ${byHand('compiler')}), then run this again. ${NO_NEED}` },
  );
}

async function buildInto(path) {
  const work = mkdtempSync(join(tmpdir(), 'strata-native-'));
  const removeWork = () => rmSync(work, { recursive: true, force: true });
  process.once('exit', removeWork);
  try {
    const built = await compile(work);
    if (!(await loads(built))) {
      throw new SetUpError('SQLite was built, but this Node cannot load it.', { advice: NO_NEED });
    }
    // The cache may be on another disk: the copy gets its name only when it is whole.
    mkdirSync(dirname(path), { recursive: true });
    const next = `${path}.${process.pid}`;
    copyFileSync(built, next);
    renameSync(next, path);
  } finally {
    process.removeListener('exit', removeWork);
    removeWork();
  }
}

async function compile(work) {
  const source = join(work, 'better-sqlite3');
  cpSync(PACKAGE, source, { recursive: true });
  const addonApi = join(root, 'node_modules', 'node-addon-api');
  cpSync(addonApi, join(source, 'node_modules', 'node-addon-api'), { recursive: true });

  const gyp = [NODE_GYP, 'rebuild', '--release', '--force_build=1', '--jobs=max'];
  const options = { cwd: source, env: { ...process.env, ...compilerFlags() } };
  const { code, output } = await npm(['exec', '--yes', '--', ...gyp], options);
  if (code === 0) return join(source, 'build', 'Release', 'better_sqlite3.node');
  throw new SetUpError('SQLite could not be built: node-gyp failed.', {
    output: tail(output),
    advice: `Correct what it says above, then run this again. ${NO_NEED}`,
  });
}

/** The defines, and what shortens the build: -O2, as SQLite's authors build it, takes half the time of -O3. */
function compilerFlags() {
  const { CFLAGS = '', CXXFLAGS = '', _CL_ = '' } = process.env;
  if (process.platform === 'win32') {
    return { _CL_: `${_CL_} /UNAPI_VERSION ${DEFINES.map((name) => `/D${name}`).join(' ')}` };
  }
  const defines = ['-UNAPI_VERSION', ...DEFINES.map((name) => `-D${name}`)];
  return { CFLAGS: `${CFLAGS} -O2`, CXXFLAGS: `${CXXFLAGS} ${defines.join(' ')} -fno-lto` };
}

/** Tries a binary in a process of its own: one that does not fit ends its process instead of throwing. */
async function loads(binary) {
  if (!existsSync(binary)) return false;
  const script =
    'const [, library, nativeBinding] = process.argv;' +
    'const database = new (require(library))(":memory:", { nativeBinding });' +
    'process.exit(database.prepare("SELECT 1 AS one").get().one === 1 ? 0 : 1);';
  const { code } = await run(process.execPath, ['-e', script, PACKAGE, binary]);
  return code === 0;
}
