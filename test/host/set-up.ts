import { afterEach } from 'vitest';
import { type CreateOptions, createToolcrib, type Toolcrib } from '../../src/index.ts';
import { fixtureServer } from '../fixtures/servers/start.ts';

const open = new Set<Toolcrib>();

afterEach(async () => {
  for (const crib of open) await crib.close();
  open.clear();
});

/** A toolcrib that is closed after the test. */
export function create(options: CreateOptions = {}): Toolcrib {
  const crib = createToolcrib({ embedding: 'none', mode: 'discovery', ...options });
  open.add(crib);
  return crib;
}

/** A real server whose results hold every kind of content. */
export const blocksServer = { command: process.execPath, args: [fixtureServer('blocks-server.mjs')] };

/** A catalog with tools that no server stands behind. */
export function filled(options: CreateOptions = {}): Toolcrib {
  const crib = create(options);
  crib.ingest('notes', notes);
  return crib;
}

export const notes = [
  {
    name: 'write_note',
    description: 'Writes a note to the notebook.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
  { name: 'read_note', description: 'Reads a note of the notebook.', inputSchema: { type: 'object' } },
];
