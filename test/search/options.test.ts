import { describe, expect, it } from 'vitest';
import type { SearchOptions } from '../../src/model/index.ts';
import { decodeCursor, encodeCursor } from '../../src/search/cursor.ts';
import { checkOptions } from '../../src/search/options.ts';

describe('checkOptions', () => {
  it('fills in the defaults', () => {
    expect(checkOptions('query', {})).toEqual({
      limit: 5,
      detail: 'summary',
      arm: 'hybrid',
      explain: false,
      server: undefined,
      cursor: undefined,
    });
  });

  it.each([
    ['limit', { limit: 0 }],
    ['limit', { limit: 21 }],
    ['limit', { limit: 2.5 }],
    ['limit', { limit: '5' }],
    ['detail', { detail: 'all' }],
    ['arm', { arm: 'bm25' }],
    ['server', { server: 7 }],
    ['cursor', { cursor: {} }],
  ])('refuses a wrong %s: %j', (option, options) => {
    expect(() => checkOptions('query', options as SearchOptions)).toThrow(
      expect.objectContaining({
        code: 'invalid_arguments',
        message: expect.stringContaining(`search: ${option} must be`),
      }),
    );
  });

  it.each(['', '  ', undefined, 7])('refuses the query %j', (query) => {
    expect(() => checkOptions(query as string, {})).toThrow(expect.objectContaining({ code: 'invalid_arguments' }));
  });
});

describe('cursor', () => {
  const scope = { query: 'create an issue', server: undefined, arm: 'hybrid', view: '', generation: 3 };

  it('comes back as the offset it was made for', () => {
    expect(decodeCursor(scope, encodeCursor(scope, 15))).toBe(15);
  });

  it.each([
    ['another query', { ...scope, query: 'close an issue' }],
    ['another server', { ...scope, server: 'github' }],
    ['another arm', { ...scope, arm: 'lexical' }],
    ['a changed catalog', { ...scope, generation: 4 }],
  ])('is refused for %s', (_, other) => {
    const cursor = encodeCursor(scope, 5);
    expect(() => decodeCursor(other, cursor)).toThrow(expect.objectContaining({ code: 'invalid_cursor' }));
  });

  it.each(['', 'x', '5', Buffer.from('hash.-1').toString('base64url'), Buffer.from('hash.1e9').toString('base64url')])(
    'is refused when made up: %j',
    (cursor) => {
      expect(() => decodeCursor(scope, cursor)).toThrow(expect.objectContaining({ code: 'invalid_cursor' }));
    },
  );
});
