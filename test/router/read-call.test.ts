import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { readCall } from '../../src/router/read-call.ts';

const targets: Record<string, string[]> = {
  plain: ['owner', 'repo'],
  awkward: ['name', 'arguments', 'args'],
  free: [],
  open: ['owner'],
  loose: ['owner'],
};
const targetOf = (name: string) => {
  const parameters = targets[name];
  if (parameters === undefined) return undefined;
  return {
    parameters,
    isNamed: (other: string) => other === name || other === `srv__${name}`,
    // `plain` takes nothing else and requires an owner, `open` and `loose` require nothing, the others admit anything.
    isOpen: name === 'open',
    fits: (given: JsonObject) =>
      name !== 'plain' || ('owner' in given && Object.keys(given).every((key) => parameters.includes(key))),
  };
};
const read = (input: unknown) => readCall(input, targetOf);
const args = { owner: 'o', repo: 'r' };

describe('readCall reads', () => {
  it.each<[string, unknown]>([
    ['the plain shape', { name: 'plain', arguments: args }],
    ['the call as a JSON text', JSON.stringify({ name: 'plain', arguments: args })],
    ['arguments as a JSON text', { name: 'plain', arguments: JSON.stringify(args) }],
    ['arguments as a text in a text', { name: 'plain', arguments: JSON.stringify(JSON.stringify(args)) }],
    ['args', { name: 'plain', args }],
    ['params', { name: 'plain', params: JSON.stringify(args) }],
    ['arguments nested once more', { name: 'plain', arguments: { arguments: args } }],
    ['args in arguments', { name: 'plain', arguments: { args } }],
    ['params in args', { name: 'plain', args: { params: JSON.stringify(args) } }],
    ['the name repeated inside', { name: 'plain', arguments: { name: 'srv__plain', ...args } }],
    ['the whole call inside', { name: 'plain', arguments: { name: 'plain', arguments: args } }],
    ['the whole call one level down', { arguments: { name: 'plain', arguments: args } }],
    ['parameters beside the name', { name: 'plain', ...args }],
    ['parameters beside empty arguments', { name: 'plain', arguments: {}, ...args }],
    ['parameters beside arguments that are null', { name: 'plain', arguments: null, ...args }],
    ['parameters beside an empty text', { name: 'plain', arguments: '{}', ...args }],
  ])('%s', (_, input) => {
    expect(read(input)).toEqual({ ok: true, name: 'plain', args });
  });

  it.each<[string, unknown]>([
    ['missing', { name: 'plain' }],
    ['null', { name: 'plain', arguments: null }],
    ['empty text', { name: 'plain', arguments: '' }],
  ])('no arguments: %s', (_, input) => {
    expect(read(input)).toEqual({ ok: true, name: 'plain', args: {} });
  });

  it.each<[string, unknown]>([
    ['name', { name: 'awkward' }],
    ['arguments', { arguments: { a: 1 } }],
    ['args', { args: { a: 1 } }],
    ['name and arguments', { name: 'awkward', arguments: { a: 1 } }],
  ])('a tool that has a parameter called %s as it is', (_, given) => {
    expect(read({ name: 'awkward', arguments: given })).toEqual({ ok: true, name: 'awkward', args: given });
  });

  it.each<[string, JsonObject]>([
    ['a wrapper key', { args: { owner: 'o' } }],
    ['a wrapper key that holds text', { input: '{"owner":"o"}' }],
    ['its own name', { name: 'open', owner: 'o' }],
  ])('%s that the schema admits as it is', (_, given) => {
    expect(read({ name: 'open', arguments: given })).toEqual({ ok: true, name: 'open', args: given });
  });

  it.each<[string, JsonObject]>([
    ['a wrapper around its parameters', { args: { owner: 'o' } }],
    ['a wrapper that holds text', { params: '{"owner":"o"}' }],
    ['its own name beside its parameters', { name: 'loose', owner: 'o' }],
  ])('a tool that requires nothing without %s', (_, given) => {
    expect(read({ name: 'loose', arguments: given })).toEqual({ ok: true, name: 'loose', args: { owner: 'o' } });
  });

  it('a tool that declares nothing as it is', () => {
    const given = { arguments: { a: 1 }, name: 'free' };
    expect(read({ name: 'free', arguments: given })).toEqual({ ok: true, name: 'free', args: given });
  });
});

describe('readCall names what it cannot read', () => {
  it.each<[string, unknown, object]>([
    ['no object', 5, { field: 'name', got: 5 }],
    ['no name', { arguments: args }, { field: 'name', got: undefined }],
    ['a name that is no text', { name: 7, arguments: args }, { field: 'name', got: 7 }],
    ['a list', { name: 'plain', arguments: [1] }, { field: 'arguments', expected: 'an object', got: [1] }],
    ['prose', { name: 'plain', arguments: 'owner o' }, { field: 'arguments', got: 'owner o' }],
    [
      'some parameters beside',
      { name: 'plain', owner: 'o', repp: 'r' },
      { field: 'arguments', got: { owner: 'o', repp: 'r' } },
    ],
  ])('%s', (_, input, expected) => {
    expect(read(input)).toMatchObject({ ok: false, ...expected });
  });

  it.each<[string, object, object]>([
    ['one that is not declared', { name: 'plain', dry_run: true }, { dry_run: true }],
    ['one beside empty arguments', { name: 'plain', arguments: {}, dry_run: true }, { dry_run: true }],
    ['one beside null', { name: 'plain', arguments: null, dry_run: true }, { dry_run: true }],
    ['one beside other arguments', { name: 'plain', arguments: args, owner: 'x' }, { owner: 'x' }],
    ['one beside a wrapper', { name: 'plain', args, dry_run: true }, { args, dry_run: true }],
    ['one for a tool that declares nothing', { name: 'free', dry_run: true }, { dry_run: true }],
  ])('a parameter in the wrong place: %s', (_, input, misplaced) => {
    expect(read(input)).toMatchObject({ ok: false, field: 'arguments', misplaced });
  });

  it('leaves an unknown tool to the lookup', () => {
    expect(read({ name: 'nope', dry_run: true })).toEqual({ ok: true, name: 'nope', args: {} });
  });

  it('never throws and never invents arguments', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (input) => {
        const result = read(input);
        if (result.ok) expect(JSON.stringify(input)).toContain(JSON.stringify(result.name).slice(1, -1));
      }),
    );
  });
});
