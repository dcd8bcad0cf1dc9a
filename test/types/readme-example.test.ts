import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

it('README shows the snippet that is type-checked, letter by letter', async () => {
  const snippet = await readFile(new URL('readme-example.ts', import.meta.url), 'utf8');
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  expect(readme).toContain(`\`\`\`ts\n${snippet}\`\`\``);
});
