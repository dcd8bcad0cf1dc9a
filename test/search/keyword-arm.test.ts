import { expect, it } from 'vitest';
import { KeywordArm } from '../../src/search/keyword-arm.ts';
import { filledCatalog } from './fixture.ts';

it('gives the profile of every tool asked for, however many were asked for before', () => {
  const tools = Array.from({ length: 9_000 }, (_, index) => ({
    name: `tool_${index}`,
    description: `Number ${index}.`,
    inputSchema: { type: 'object' },
  }));
  const catalog = filledCatalog({ many: tools });
  const arm = new KeywordArm(catalog);
  const names = catalog.names();
  catalog.indexPending();
  expect(arm.profiles(names.slice(0, 7_900), 'g').size).toBe(7_900);
  const wanted = [...names.slice(0, 100), ...names.slice(7_900, 8_100)];
  const profiles = arm.profiles(wanted, 'g');
  expect(wanted.filter(({ key }) => !profiles.has(key))).toEqual([]);
});
