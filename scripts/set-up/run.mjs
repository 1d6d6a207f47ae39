// Owns running a program to its end, with its output kept, and finding npm.
// Never leaves a child behind when this process is told to stop.

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { basename } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './places.mjs';

const KEPT_OUTPUT = 64 * 1024;
const SHOWN_LINES = 25;
const STOPPED_AFTER_MS = 5_000;
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program without a terminal and without input, its stdout and stderr kept together.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, inherit?: boolean, shell?: boolean }} [options]
 *   inherit shows the output as it comes instead of keeping it
 * @returns {Promise<{ code: number, output: string }>} code is -1 where the program could not be started
 */
export function run(program, args, { cwd = root, env = process.env, inherit = false, shell } = {}) {
  return new Promise((resolve) => {
    const out = inherit ? 'inherit' : 'pipe';
    // A group of its own, so that what the program started ends with it.
    const detached = process.platform !== 'win32';
    let child;
    // Before there is a child: a signal that comes while it is started must not leave it behind.
    const stopping = endWithUs(() => child, detached);
    child = spawn(program, args, { cwd, env, shell, detached, stdio: ['ignore', out, out] });
    let output = '';
    const keep = (text) => {
      output = (output + text).slice(-KEPT_OUTPUT);
    };
    child.stdout?.setEncoding('utf8').on('data', keep);
    child.stderr?.setEncoding('utf8').on('data', keep);

    child.once('error', (error) => {
      keep(error.message);
      stopping.over();
      resolve({ code: -1, output });
    });
    child.once('close', (code) => {
      stopping.over();
      resolve({ code: code ?? 1, output });
    });
  });
}

/** Passes on a signal to stop, and ends this process once the child has ended. */
function endWithUs(childOf, isGroup) {
  let received;
  const kill = (signal) => {
    const child = childOf();
    try {
      if (isGroup) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {
      // It has ended already.
    }
  };
  const stop = (signal) => {
    received = signal;
    kill(signal);
    setTimeout(kill, STOPPED_AFTER_MS, 'SIGKILL').unref();
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  const over = () => {
    for (const signal of STOP_SIGNALS) process.removeListener(signal, stop);
    if (received !== undefined) process.exit(128 + constants.signals[received]);
  };
  return { over };
}

/** Runs npm, whichever way this process was started. Answers as `run` does. */
export function npm(args, options = {}) {
  const env = npmEnvironment(options.env ?? process.env);
  const { npm_execpath: npmCli } = process.env;
  if (npmCli && basename(npmCli) === 'npm-cli.js') {
    return run(process.execPath, [npmCli, ...args], { ...options, env });
  }
  // npm is a .cmd file on Windows, which only a shell can start.
  return run('npm', args, { ...options, env, shell: process.platform === 'win32' });
}

/** The last lines of a program's output that help a person: without colours, stack traces and empty lines. */
export function tail(output) {
  const lines = stripVTControlCharacters(output).split('\n');
  const isNoise = (line) => /^(npm error)?\s*(at\s.*)?$/.test(line);
  return lines
    .filter((line) => !isNoise(line))
    .slice(-SHOWN_LINES)
    .join('\n');
}

/** Leaves out what an outer `npm run` tells its script about itself, so that an inner npm takes its own folder. */
function npmEnvironment(env) {
  const outer = /^npm_(config_local_prefix|lifecycle_.*|package_.*|command)$/i;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !outer.test(name)));
}
