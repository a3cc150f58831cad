import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const PDFJS = join(import.meta.dirname, '../../node_modules/pdfjs-dist');

/** Files that PDF.js asks for by their names: decoders of scans (JBIG2, fax, JPEG 2000), and the symbols of forms. */
const PDFJS_FILES = [
  'wasm/jbig2_nowasm_fallback.js',
  'wasm/openjpeg_nowasm_fallback.js',
  'standard_fonts/FoxitDingbats.pfb',
  'standard_fonts/FoxitSymbol.pfb',
];

/** Browsers keep assets for ever, so the version is part of the address. */
const furtherFilesOfPdfjs: Plugin = {
  name: 'further-files-of-pdfjs',
  generateBundle() {
    const { version } = JSON.parse(readFileSync(join(PDFJS, 'package.json'), 'utf8'));
    for (const file of PDFJS_FILES)
      this.emitFile({
        type: 'asset',
        fileName: `assets/pdf-${version}/${basename(file)}`,
        source: readFileSync(join(PDFJS, file)),
      });
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/panel/',
  logLevel: 'error',
  plugins: [furtherFilesOfPdfjs],
  build: {
    outDir: '../../dist/panel',
    emptyOutDir: true,
    // The policy allows no data: scripts or styles, and small files cost little.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
