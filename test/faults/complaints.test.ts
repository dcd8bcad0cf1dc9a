import { expect, it } from 'vitest';
import { meta, open, rawTool, wanted } from '../catalog/harness.ts';

it('a changed output schema is a changed definition', () => {
  const catalog = open();
  catalog.configure([wanted('s')]);
  const withOutput = (type: string) =>
    rawTool('t', { outputSchema: { type: 'object', properties: { out: { type } } } });
  catalog.ingest('s', [withOutput('string')], meta());
  expect(catalog.ingest('s', [withOutput('number')], meta({ listedAt: 2_000 })).changed).toEqual(['t']);
  const hashes = catalog.history({ serverId: 's', toolName: 't' }).map(({ hash }) => hash);
  expect(new Set(hashes).size).toBe(2);
});
