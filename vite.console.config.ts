import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Bundles the page of the console into `dist/console/page`, beside what `tsc` makes of its server side. */
export default defineConfig({
  root: at('src/console/page'),
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: at('dist/console/page'),
    emptyOutDir: true,
    target: 'es2022',
    // The colours of both themes are told by light-dark().
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The page is one script, and its security policy allows no inline one.
    modulePreload: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    license: { fileName: 'licenses.md' },
    rollupOptions: {
      output: { entryFileNames: 'assets/page.js', assetFileNames: 'assets/page[extname]', codeSplitting: false },
    },
  },
  logLevel: 'warn',
});
