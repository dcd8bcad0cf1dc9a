// An agent on the Chat Completions API, which many providers speak. Run it: npm run example openai-chat
import OpenAI from 'openai';
import { createToolcrib } from 'toolcrib';
import { openaiTools } from 'toolcrib/openai';
import { mcpServers } from './servers.ts';

const crib = createToolcrib({ mcpServers, mode: 'discovery' });
await crib.sync();

const client = new OpenAI();
const tools = openaiTools(crib.conversation()).chat;
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Note that I have to buy milk.' }];

for (;;) {
  const answer = await client.chat.completions.create({ model: 'gpt-5', tools: tools.tools(), messages });
  const message = answer.choices[0]?.message;
  if (message === undefined) break;
  messages.push(message);
  for (const call of message.tool_calls ?? []) if (call.type === 'function') console.log(call.function.arguments);
  const results = await tools.dispatch(message.tool_calls);
  if (results.length === 0) {
    console.log(message.content);
    break;
  }
  messages.push(...results);
}

await crib.close();
