import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/panel/',
  logLevel: 'error',
  build: {
    outDir: '../../dist/panel',
    emptyOutDir: true,
    // The policy allows no data: scripts or styles, and small files cost little.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
