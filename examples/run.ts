// Runs an example against a scripted model: npm run example anthropic. With a key in the environment, the examples run against
// the real thing by themselves: npx tsx examples/anthropic.ts
import { startScriptedModel, type Turn } from './scripted-model.ts';

const examples = ['ai-sdk', 'anthropic', 'anthropic-deferred', 'mcp-host', 'openai-chat', 'openai-responses'];
const [name = ''] = process.argv.slice(2);
if (!examples.includes(name)) {
  process.stderr.write(`There is no example "${name}". Run one of: ${examples.join(', ')}\n`);
  process.exit(2);
}
const search = { name: 'search_tools', input: { query: 'add a note' } };
const args = { text: 'Buy milk' };
const addNote =
  name === 'anthropic-deferred'
    ? { name: 'notes__add_note', input: args }
    : { name: 'call_tool', input: { name: 'notes__add_note', arguments: args } };
const turns: Turn[] = [{ calls: [search] }, { calls: [addNote] }, { text: 'I have noted it.' }];

const model = await startScriptedModel(turns);
Object.assign(process.env, {
  ANTHROPIC_BASE_URL: model.url,
  ANTHROPIC_API_KEY: 'scripted',
  OPENAI_BASE_URL: `${model.url}/v1`,
  OPENAI_API_KEY: 'scripted',
  AI_GATEWAY_BASE_URL: model.url,
  AI_GATEWAY_API_KEY: 'scripted',
});
await import(`./${name}.ts`);
await model.close();
