import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

it.each(['readme-example.ts', 'embed-example.ts'])('README shows %s, which is type-checked', async (name) => {
  const snippet = await readFile(new URL(name, import.meta.url), 'utf8');
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  expect(readme).toContain(`\`\`\`ts\n${snippet}\`\`\``);
});
