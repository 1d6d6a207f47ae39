// Owns starting the real server process for a test: bin/strata.mjs serve --json in a temp home.
// Never reaches into it: tests speak HTTP and read the folder.

import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.ts';

// Tests and benches run with the project's root as their folder.
/** The command line, as people start it. */
export const DOOR = join(process.cwd(), 'bin', 'strata.mjs');

/** A running server. */
export interface Server {
  readonly home: string;
  readonly ingestUrl: string;
  /** Where the contract is, without the token. */
  readonly adminUrl: string;
  readonly adminToken: string;
  readonly pid: number;
  readonly child: ChildProcess;
  /** What it has written to stderr. */
  stderr(): string;
  /** The address of a stream. */
  stream(knowledgebase: string, stream: string): string;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  /** Resolves when it has been stopped (SIGSTOP) and can be let go on. */
  stopped(): Promise<void>;
  /** Resolves when it is gone, however that came. */
  gone(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface ServerOptions {
  readonly home?: string;
  readonly words?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A new empty folder, removed by `removeTempFolders`. */
export const tempFolder = (): string => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'strata-test-'));
  folders.push(folder);
  return folder;
};

const folders: string[] = [];

/** Removes every folder that `tempFolder` made; call it in afterAll. */
export const removeTempFolders = (): void => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
};

/** Starts a server and waits until it is ready. Rejects with its stderr when it exits first. */
export const startServer = async (options: ServerOptions = {}): Promise<Server> => {
  const home = options.home ?? tempFolder();
  const words = ['serve', '--home', home, '--port', '0', '--admin-port', '0', '--json'];
  const child = spawn(process.execPath, [DOOR, ...words, ...(options.words ?? [])], {
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const ready = new Promise<void>((resolve) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (stdout.includes('\n')) resolve();
    });
  });
  await Promise.race([
    ready,
    exited.then(([code, signal]) => {
      if (!stdout.includes('\n')) throw new Error(`serve ended with ${code ?? signal}: ${stderr}`);
    }),
  ]);
  const { ingest_url: ingestUrl, admin_url: admin, pid } = JSON.parse(stdout.split('\n')[0] ?? '');
  const [adminUrl, adminToken] = (admin as string).split('/#token=') as [string, string];
  const gone = async () => {
    const [code, signal] = await exited;
    return { code, signal };
  };
  return {
    ...{ home, ingestUrl, adminUrl, adminToken, pid, child, gone },
    stderr: () => stderr,
    stream: (knowledgebase, stream) =>
      `${ingestUrl}/knowledgebase/${knowledgebase}/strata/ingest/${stream}`,
    stop: async () => {
      child.kill('SIGTERM');
      return (await gone()).code;
    },
    stopped: async () => {
      await until('the server is stopped', () => {
        // proc(5): the state follows the name of the program in parentheses; ps(1) where there is no /proc.
        const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], {
          encoding: 'utf8',
        });
        return stdout.trim().startsWith('T');
      });
    },
    kill: async () => {
      child.kill('SIGKILL');
      await gone();
    },
  };
};

/** How a command ended. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `strata` with these words to its end; `stdin` is given to it whole. */
export const strata = (
  home: string,
  words: readonly string[],
  options: { readonly stdin?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<CommandResult> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [DOOR, ...words],
      {
        env: { ...process.env, STRATA_HOME: home, ...options.env },
        maxBuffer: 256 * 1024 * 1024,
      },
      (error, stdout, stderr) => {
        const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
        resolve({ code, stdout, stderr });
      },
    );
    child.stdin?.end(options.stdin ?? '');
  });

/** Runs `strata` with --json and returns its document; fails with stderr when the command failed. */
export const strataJson = async <T>(home: string, words: readonly string[]): Promise<T> => {
  const { code, stdout, stderr } = await strata(home, [...words, '--json']);
  if (code !== 0) throw new Error(`strata ${words.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
};

/** POSTs a body as NDJSON. */
export const post = (
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', ...headers },
    body,
  });
