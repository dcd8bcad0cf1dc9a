import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What others import, and what is started as a program or a thread of its own. */
const entries = [
  'index',
  'bin',
  'host/anthropic',
  'host/openai',
  'host/ai-sdk',
  'app/mcp',
  'app/token-worker',
  'search/embedding/worker',
  'upstream/watchdog',
  ...readdirSync(at('src/demo'))
    .filter((file) => file.endsWith('-server.ts'))
    .map((file) => `demo/${file.replace('.ts', '')}`),
];

/**
 * Bundles the code into `dist/`: a program that starts for one search reads a handful of files instead of hundreds. What comes
 * from npm stays outside, but for zod; the declarations are made by `tsc`.
 */
export default defineConfig({
  publicDir: false,
  // A hundred files, read at every start; no other library has as many.
  ssr: { noExternal: ['zod'] },
  build: {
    ssr: true,
    outDir: at('dist'),
    emptyOutDir: true,
    target: 'node20',
    license: { fileName: 'licenses.md' },
    rollupOptions: {
      input: Object.fromEntries(entries.map((name) => [name, at(`src/${name}.ts`)])),
      external: /^(?!zod)[^./]/,
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
  logLevel: 'warn',
});
