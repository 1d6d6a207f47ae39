// Owns how renderer/ becomes dist/renderer/: the window's page, for Electron and for a browser alike.
// Never builds core.

import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [react()],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'chrome130',
    minify: true,
    sourcemap: true,
    // Data addresses would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2_000,
  },
});
