import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalHash } from '../../src/catalog/canonical-hash.ts';
import { repairList, repairListInSlices } from '../../src/catalog/repair-tool.ts';

it('reads an entry as JSON would give it back, whatever a program puts into it', () => {
  const odd = fc.anything({ withDate: true, withSparseArray: true, withNullPrototype: true, withMap: true });
  const toJson = fc.string().map((text) => ({ toJSON: () => text }));
  fc.assert(
    fc.property(fc.oneof(odd, toJson), (extra) => {
      const entry = { name: 'x', description: 'Does x.', inputSchema: { type: 'object' }, extra };
      const text = JSON.stringify(entry);
      expect(repairList([entry])).toMatchObject([
        { name: 'x', status: 'ok', definition: text, hash: canonicalHash(JSON.parse(text)) },
      ]);
    }),
    { numRuns: 1_000 },
  );
});

it('gives the same in slices', async () => {
  const list = [
    { name: 'x' },
    'odd',
    ...Array.from({ length: 200 }, (_, index) => ({ name: `t${index % 150}` })),
    null,
  ];
  expect(await repairListInSlices(list, () => undefined)).toEqual(repairList(list));
});

it('takes a hash that is known already', () => {
  const entry = { name: 'x', inputSchema: { type: 'object' } };
  const known = (definition: string) => (definition === JSON.stringify(entry) ? 'known' : undefined);
  expect(repairList([entry], known)[0]?.hash).toBe('known');
  expect(repairList([{ ...entry, title: 'X' }], known)[0]?.hash).not.toBe('known');
});
