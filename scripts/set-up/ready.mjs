// Owns the quick answer to whether there is anything to set up, which every command asks before it starts.
// Never looks into a file: where this says no, the steps look closer.

import { join } from 'node:path';
import { bindingPath, hasBinding } from './binding.mjs';
import { dist } from './places.mjs';
import { listing, readStamp, writeStamp } from './stamp.mjs';

/** What dist/ is built from. */
export const SOURCES = [
  'core',
  'electron',
  'renderer',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vite.config.ts',
];

const INSTALLED = 'node_modules/.package-lock.json';
const STAMP = join(dist, '.ready');

/** Whether nothing has changed since everything was last set up. Takes a few ms. */
export function isReady() {
  return hasBinding() && readStamp(STAMP) === state(listing(SOURCES));
}

/** Remembers that everything is set up, with dist/ built from `sources`, the listing as it was before the build. */
export function markReady(sources) {
  writeStamp(STAMP, state(sources));
}

function state(sources) {
  const { platform, arch } = process;
  return [platform, arch, bindingPath() ?? '', listing([INSTALLED]), sources].join('\n');
}
