// The same with deferred tools: a search answers with references, and the model calls what it found by its own name.
// Run it: npm run example anthropic-deferred
import Anthropic from '@anthropic-ai/sdk';
import { createToolcrib } from 'toolcrib';
import { anthropicTools } from 'toolcrib/anthropic';
import { mcpServers } from './servers.ts';

const crib = createToolcrib({ mcpServers, mode: 'discovery' });
await crib.sync();

const client = new Anthropic();
const tools = anthropicTools(crib, { deferred: true });
const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Note that I have to buy milk.' }];

for (;;) {
  const answer = await client.messages.create({
    model: 'claude-sonnet-5',
    max_tokens: 1024,
    tools: tools.tools(messages),
    messages,
  });
  messages.push({ role: 'assistant', content: answer.content });
  for (const block of answer.content) console.log(block.type === 'tool_use' ? [block.name, block.input] : block);
  const results = await tools.dispatch(answer.content);
  if (results.length === 0) break;
  messages.push({ role: 'user', content: results });
}

await crib.close();
