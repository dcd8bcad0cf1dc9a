import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type HttpOptions,
  type Limits,
  resolveOptions,
  type ServerOptions,
  type ToolcribOptions,
} from '../../src/config/index.ts';
import type { configSchema, httpSchema, limitsSchema, serverSchema } from '../../src/config/schema.ts';

const context = { env: {}, workspaceFolder: '/space' };

describe('resolveOptions', () => {
  it('needs nothing, and keeps the catalog in memory', () => {
    const config = resolveOptions({}, context);
    expect(config).toMatchObject({ servers: [], warnings: [], catalogPath: ':memory:', mode: 'auto' });
    expect(config).not.toHaveProperty('path');
  });

  it('takes the same keys as a file', () => {
    const options: ToolcribOptions = {
      mcpServers: { a: { command: 'x', args: [`\${workspaceFolder}`] }, b: { url: 'https://x.dev/mcp' } },
      mode: 'discovery',
      pinned: ['a__t'],
      catalog: '/tmp/c.sqlite',
      embedding: 'none',
      limits: { parallelStarts: 1 },
    };
    const config = resolveOptions(options, context);
    expect(config.servers.map(({ id, transport }) => [id, transport.kind])).toEqual([
      ['a', 'stdio'],
      ['b', 'http'],
    ]);
    expect(config).toMatchObject({
      mode: 'discovery',
      pinned: ['a__t'],
      catalogPath: '/tmp/c.sqlite',
      embedding: { provider: 'none' },
      limits: { parallelStarts: 1 },
    });
  });

  it('lets one bad server take no other with it', () => {
    const mcpServers = {
      a: { command: 'x' },
      b: { args: ['y'] },
      c: { command: `\${NONE}` },
      d: { url: 'https://x.dev' },
    };
    const config = resolveOptions({ mcpServers }, context);
    expect(config.servers.map(({ id, position }) => [id, position])).toEqual([
      ['a', 0],
      ['d', 3],
    ]);
    expect(config.disabled.map(({ id, position }) => [id, position])).toEqual([
      ['b', 1],
      ['c', 2],
    ]);
    expect(config.warnings.map(({ jsonPath }) => jsonPath)).toEqual(['mcpServers.b', 'mcpServers.c.command']);
  });

  it('names the options in an error', () => {
    expect(() => resolveOptions({ contextWindow: -1 }, context)).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        message: expect.stringContaining('contextWindow: expected a whole number of tokens from 1'),
        next: 'Mend the options named.',
      }),
    );
  });

  it('drops the prefix of names for one enabled server', () => {
    const off = { command: 'y', enabled: false };
    expect(resolveOptions({ mcpServers: { a: { command: 'x', prefix: false }, off } }, context).naming.prefix).toBe(
      false,
    );
    expect(resolveOptions({ mcpServers: { a: { command: 'x' } } }, context).naming.prefix).toBe(true);
  });

  it.each([
    ['a second server', { command: 'y' }],
    ['a second server that only lacks a variable', { command: `\${NONE}` }],
  ])('refuses to drop it beside %s', (_, second) => {
    const mcpServers = { a: { command: 'x', prefix: false }, b: second };
    expect(() => resolveOptions({ mcpServers }, context)).toThrow(
      expect.objectContaining({
        code: 'config_invalid',
        message: expect.stringContaining(
          'mcpServers.a.prefix: "prefix": false is allowed with exactly one enabled server, got 2',
        ),
      }),
    );
  });

  it('documents every key that it checks', () => {
    expectTypeOf<Exclude<keyof typeof configSchema.shape, 'servers'>>().toEqualTypeOf<keyof ToolcribOptions>();
    expectTypeOf<keyof typeof serverSchema.shape>().toEqualTypeOf<keyof ServerOptions>();
    expectTypeOf<keyof typeof limitsSchema.shape>().toEqualTypeOf<keyof Limits>();
    expectTypeOf<keyof typeof httpSchema.shape>().toEqualTypeOf<keyof HttpOptions>();
  });
});
