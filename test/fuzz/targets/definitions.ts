import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { createToolcrib } from '../../../src/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/model/index.ts';
import { mutated, texts, values } from '../mutations.ts';
import { type FuzzTarget, must } from '../target.ts';

/** The definitions of our own suite, as their servers would list them. */
function ownDefinitions(): JsonObject[] {
  const file = new URL('../../../bench/own/tools.jsonl', import.meta.url);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const { id: _id, server: _server, ...definition } = JSON.parse(line) as JsonObject;
      return definition;
    });
}

interface List {
  tools: JsonValue[];
  query: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const control = /[\u0000-\u0008\u000b-\u001f\u007f\u200b\u202a-\u202e\u2066-\u2069]/;
const exposed = /^[A-Za-z0-9_-]{1,64}$/;

/** Lists of servers: each entry is accounted for, and what is made of it can be shown. */
export function definitionsTarget(): FuzzTarget<List> {
  const crib = createToolcrib({ embedding: 'none', mode: 'discovery' });
  const listing = createToolcrib({ embedding: 'none', mode: 'direct' });
  const real = mutated(fc.constantFrom<JsonValue[]>(...ownDefinitions()), 6);
  const cases = fc.record({
    tools: fc.array(fc.oneof({ weight: 6, arbitrary: real }, values), { minLength: 1, maxLength: 16 }),
    query: fc.oneof(fc.constantFrom('create a ticket', 'list files'), texts),
  });
  const run = async ({ tools, query }: List) => {
    crib.ingest('s', tools);
    const listed = crib.listTools();
    must(listed.length === tools.length, `${tools.length} entries became ${listed.length}`);
    must(new Set(listed.map(({ name }) => name)).size === listed.length, 'two tools have one name');
    for (const { name, status } of listed) {
      must(exposed.test(name), `a name that hosts refuse: ${JSON.stringify(name)}`);
      const { text, signature } = crib.describe(name);
      must(!control.test(text), `a character that nobody sees in ${JSON.stringify(text)}`);
      must(!/[\n\r]/.test(signature), `a signature of several lines: ${JSON.stringify(signature)}`);
      if (status === 'set_aside') must((await crib.call(name)).isError === true, 'a tool set aside was called');
    }
    const asked = query.trim() === '' ? 'anything' : query;
    for (const detail of ['name', 'summary', 'schema']) {
      const answer = await crib.call('search_tools', { query: asked, detail });
      const [block] = answer.content;
      must(typeof block?.text === 'string', 'a search without text');
      must(!control.test(String(block.text)), `a character that nobody sees in ${JSON.stringify(block.text)}`);
      const error = answer._meta?.['dev.toolcrib/error'];
      must(!(isJsonObject(error) && error.reason === 'internal'), `a fault of toolcrib itself: ${block.text}`);
    }
    listing.ingest('s', tools);
    for (const { name, inputSchema } of listing.tools()) {
      must(exposed.test(name), `a name that hosts refuse: ${JSON.stringify(name)}`);
      must(isJsonObject(inputSchema) && inputSchema.type === 'object', `a schema that hosts refuse: ${name}`);
    }
    JSON.stringify(listing.tools());
    crib.lock();
    crib.quality();
  };
  const close = async () => {
    await listing.close();
    await crib.close();
  };
  return { name: 'definitions', cases, run, close };
}
