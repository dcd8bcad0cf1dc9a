/**
 * The layering of src/, as a test. Imports go one way:
 * model ← errors ← {config, telemetry, render, validation} ← {catalog, search, policy, upstream} ← router
 * ← {server, host, quality, console, setup, demo} ← app ← cli ← bin
 */
const layers = [
  ['model'],
  ['errors'],
  ['config', 'telemetry', 'render', 'validation'],
  ['catalog', 'search', 'policy', 'upstream'],
  ['router'],
  ['server', 'host', 'quality', 'console', 'setup', 'demo'],
  ['app'],
  ['cli'],
];

const layerRules = layers.flatMap((folders, level) =>
  folders.map((folder) => {
    const allowed = [...layers.slice(0, level).flat(), folder];
    return {
      name: `${folder}-imports-downwards`,
      comment: `src/${folder} may import ${allowed.join(', ')}. Shared nouns and ports belong in src/model; wiring belongs in src/app.`,
      severity: 'error',
      from: { path: `^src/${folder}/` },
      to: { path: '^src/', pathNot: `^src/(${allowed.join('|')})/` },
    };
  }),
);

const sdkHomes = {
  'better-sqlite3': ['catalog'],
  '@modelcontextprotocol/client': ['upstream'],
  '@modelcontextprotocol/(server|node)': ['demo', 'server'],
  'onnxruntime-node': ['search'],
  '@huggingface/tokenizers': ['search'],
  'ajv(-formats)?': ['validation'],
  'gpt-tokenizer': ['render'],
  commander: ['cli'],
  'yocto-spinner': ['cli'],
  picocolors: ['cli'],
  pino: ['telemetry'],
  '@opentelemetry/api': ['telemetry'],
  'jsonc-parser': ['config'],
  'env-paths': ['config'],
  yaml: ['quality'],
  '(preact|@preact/signals)': ['console/page'],
  zod: ['config', 'cli', 'demo'],
};

const sdkRules = Object.entries(sdkHomes).map(([pkg, homes]) => ({
  name: `${pkg}-has-one-home`,
  comment: `${pkg} is used through src/${homes.join(' or src/')} only: add what you need there and call that.`,
  severity: 'error',
  from: { path: '^src/', pathNot: `^src/(${homes.join('|')})/` },
  to: { path: `node_modules/${pkg}(/|$)` },
}));

module.exports = {
  forbidden: [
    ...layerRules,
    ...sdkRules,
    {
      name: 'page-stands-alone',
      comment: 'src/console/page runs in a browser: it knows the server side by src/console/shapes.ts, types of src/model, and what is free of Node.',
      severity: 'error',
      from: { path: '^src/console/page/' },
      to: { path: '^src/', pathNot: '^src/(console/(page/|shapes\\.ts$)|model/|render/escape-unseen\\.ts$)' },
    },
    {
      name: 'page-is-bundled',
      comment: 'Only vite reads src/console/page: the server side serves what was built.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/console/page/' },
      to: { path: '^src/console/page/' },
    },
    {
      name: 'no-circular',
      comment: 'Two files that need each other are one idea, or share a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-model-sdk',
      comment: 'Adapters in src/host have types of their own; test/host holds them against the real SDKs.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: 'node_modules/(@anthropic-ai/|@ai-sdk/|openai/|ai/)' },
    },
    {
      name: 'src-not-to-test-or-bench',
      comment: 'The product never depends on its tests or its benchmark.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'bench-uses-the-public-api',
      comment: 'The benchmark measures what a user gets, as it was built: import from toolcrib.',
      severity: 'error',
      from: { path: '^bench/', pathNot: '^bench/train/' },
      to: { path: '^src/' },
    },
    {
      name: 'training-sees-features-alone',
      comment: 'The training of the ranker reads catalogs and features: import from src/catalog/index.ts or src/search/training.ts.',
      severity: 'error',
      from: { path: '^bench/train/' },
      to: { path: '^src/', pathNot: '^src/(index|catalog/index|search/training|model/index)\\.ts$' },
    },
    {
      name: 'training-is-not-used-by-the-product',
      comment: 'src/search/training.ts is the door of bench/train: the product imports src/search/index.ts.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/search/training\\.ts$' },
    },
    {
      name: 'not-to-unresolvable',
      comment: 'The import leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: '(node_modules|^dist/)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
