import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorCatalog } from '../../src/errors/index.ts';
import * as publicApi from '../../src/index.ts';

/** Literal expectations: a red one means that something others rely on has changed, so change it on purpose or not at all. */
describe('what others rely on', () => {
  it('the public API exports these values', () => {
    expect(Object.keys(publicApi).sort()).toEqual([
      'ToolcribError',
      'createToolcrib',
      'errorCatalog',
      'isToolcribError',
    ]);
  });

  it('error codes are permanent: new ones may come, none goes', () => {
    expect(Object.keys(errorCatalog)).toEqual(
      expect.arrayContaining([
        'config_not_found',
        'config_unreadable',
        'config_invalid',
        'usage_invalid',
        'server_unknown',
        'address_refused',
        'port_in_use',
        'catalog_unopenable',
        'catalog_corrupt',
        'catalog_newer',
        'embedding_model_broken',
        'embedding_library_missing',
        'embedding_endpoint_refused',
        'embedding_endpoint_unavailable',
        'upstream_unavailable',
        'upstream_timeout',
        'upstream_timeout_unknown_outcome',
        'upstream_error',
        'upstream_lost',
        'cancelled',
        'invalid_arguments',
        'invalid_cursor',
        'invalid_path',
        'unknown_tool',
        'ambiguous_tool',
        'tool_set_aside',
        'closed',
        'internal',
      ]),
    );
  });

  it('every error says what to do next in a whole sentence', () => {
    for (const [code, { title, next }] of Object.entries(errorCatalog)) {
      expect(title, code).toMatch(/^\S.*\S$/);
      expect(next, code).toMatch(/[.!]$/);
    }
  });
});

describe('the documents keep up with the code', () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

  it('ARCHITECTURE names every folder of src', () => {
    const architecture = read('ARCHITECTURE.md');
    const folders = readdirSync(new URL('../../src', import.meta.url), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    for (const folder of folders) expect(architecture).toContain(`\`src/${folder}\``);
  });

  it('every folder of src opens its index with what it is for', () => {
    const folders = readdirSync(new URL('../../src', import.meta.url), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    for (const folder of folders) expect(read(`src/${folder}/index.ts`), folder).toMatch(/^\/\*\*\n \* \S/);
  });

  it('the config reference names every top-level key', () => {
    const reference = read('docs/config.md');
    const options = read('src/config/options.ts');
    const body = options.slice(
      options.indexOf('interface ToolcribOptions'),
      options.indexOf('interface ServerOptions'),
    );
    const keys = [...body.matchAll(/^ {2}(\w+)\?:/gm)].map((match) => match[1]);
    expect(keys.length).toBeGreaterThan(8);
    for (const key of keys) expect(reference, key).toContain(`\`${key}\``);
  });
});
