import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exposedName, type ToolId } from '../../src/model/index.ts';
import { benchDataHint, isBenchDataAbsent, readReal66, readToucan } from '../catalog/bench-data.ts';

const named = (serverId: string, toolName: string, nameMaxLength = 64, prefix = true) =>
  exposedName({ serverId, toolName }, { nameMaxLength, prefix });

describe('exposedName', () => {
  it.each([
    ['github', 'create_issue', 'github__create_issue'],
    ['a-b', 'Get-Thing', 'a-b__Get-Thing'],
    ['git', '__init', 'git____init'],
    ['x', '_', 'x___'],
  ])('shows %s + %s as %s', (serverId, toolName, expected) => {
    expect(named(serverId, toolName)).toBe(expected);
  });

  it.each([
    ['a space', 'github', 'create issue', /^github__create_issue_[0-9a-f]{8}$/],
    ['a dot', 'github', 'issues.create', /^github__issues_create_[0-9a-f]{8}$/],
    ['a character outside the plane', 'github', '🐙', /^github____[0-9a-f]{8}$/],
    ['the reserved id', 'toolcrib', 'read_result', /^(?!toolcrib__).*read_result_[0-9a-f]{8}$/],
    ['an id that becomes the reserved one', 'toolcrib.', 'read_result', /^(?!toolcrib__).*read_result_[0-9a-f]{8}$/],
    ['an id with __', 'a__b', 'c', /^a_b__c_[0-9a-f]{8}$/],
    ['an id ending in _', 'a_', 'b', /^a__b_[0-9a-f]{8}$/],
    ['a name that looks hashed', 'a', 'b_0123abcd', /^a__b_0123abcd_[0-9a-f]{8}$/],
    ['a name that is nothing but a hash', 'a', '0123abcd', /^a__0123abcd_[0-9a-f]{8}$/],
    ['an empty name', 'a', '', /^a___[0-9a-f]{8}$/],
    ['a name of 100,000 characters', 'a', 'n'.repeat(100_000), /^a__n{52}_[0-9a-f]{8}$/],
    ['half a character', 'a', 'x\ud800', /^a__x__[0-9a-f]{8}$/],
    ['a NUL', 'a', 'x\0y', /^a__x_y_[0-9a-f]{8}$/],
  ])('appends a hash for %s', (_case, serverId, toolName, expected) => {
    expect(named(serverId, toolName)).toMatch(expected);
  });

  it('cuts to the length of the host, 49 for hosts that prepend their own prefix', () => {
    const toolName = 'a_tool_with_a_name_of_forty_characters__';
    expect(named('server', toolName)).toBe(`server__${toolName}`);
    expect(named('server-x', toolName, 49)).toHaveLength(49);
    expect(named('server-x', toolName, 49)).toMatch(/_[0-9a-f]{8}$/);
  });

  it.each([
    ['create_issue', /^create_issue$/],
    ['a__b', /^a__b$/],
    ['toolcrib__read_result', /^(?!toolcrib__).*toolcrib__read_result_[0-9a-f]{8}$/],
    ['toolcrib.', /^toolcrib__[0-9a-f]{8}$|^_toolcrib__[0-9a-f]{8}$/],
    ['create issue', /^create_issue_[0-9a-f]{8}$/],
  ])('without prefix shows %s by itself', (toolName, expected) => {
    expect(named('github', toolName, 64, false)).toMatch(expected);
  });

  it('does not let a tool take the name that another was cut to', () => {
    const victim = { serverId: 's'.repeat(54), toolName: 'a name' };
    const hash = exposedName(victim).slice(-8);
    expect(exposedName({ ...victim, toolName: hash })).not.toBe(exposedName(victim));
  });

  it('is injective, within the limit and the character set, whatever servers send', () => {
    const part = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'b', '_', '__', '-', '.', '1'), maxLength: 12 }),
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.constantFrom('toolcrib', '__proto__', 'constructor', 'x_01234567', 'deadbeef'),
    );
    const ids = fc.uniqueArray(fc.record({ serverId: part, toolName: part }), {
      maxLength: 20,
      selector: ({ serverId, toolName }) => JSON.stringify([serverId, toolName]),
    });
    fc.assert(
      fc.property(ids, fc.constantFrom(16, 49, 64, 128), (tools, nameMaxLength) => {
        const names = tools.map(({ serverId, toolName }) => named(serverId, toolName, nameMaxLength));
        expect(new Set(names).size).toBe(tools.length);
        for (const name of names) {
          expect(name).toMatch(new RegExp(`^[A-Za-z0-9_-]{1,${nameMaxLength}}$`));
          expect(name.startsWith('toolcrib__')).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });

  describe.each([64, 49])('of real tools, at most %i characters', (nameMaxLength) => {
    it.skipIf(isBenchDataAbsent)(`are distinct in real66${benchDataHint}`, () => {
      const ids = readReal66().flatMap(({ server, tools }) =>
        [...new Set(tools.map(({ name }) => String(name)))].map((toolName) => ({ serverId: server, toolName })),
      );
      expectDistinct(ids, nameMaxLength);
    });

    it.skipIf(isBenchDataAbsent)(`are distinct in catalog_toucan${benchDataHint}`, () => {
      const ids = new Map(
        readToucan().map(({ server, name }) => [JSON.stringify([server, name]), { serverId: server, toolName: name }]),
      );
      expectDistinct([...ids.values()], nameMaxLength);
    });
  });
});

function expectDistinct(ids: readonly ToolId[], nameMaxLength: number): void {
  const names = ids.map((id) => exposedName(id, { nameMaxLength, prefix: true }));
  expect(ids.length).toBeGreaterThan(2_000);
  expect(new Set(names).size).toBe(ids.length);
  expect(names.filter((name) => !/^[A-Za-z0-9_-]+$/.test(name) || name.length > nameMaxLength)).toEqual([]);
}
