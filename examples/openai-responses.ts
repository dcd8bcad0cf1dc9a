// An agent on the Responses API of OpenAI. Run it: npm run example openai-responses
import OpenAI from 'openai';
import { createToolcrib } from 'toolcrib';
import { openaiTools } from 'toolcrib/openai';
import { mcpServers } from './servers.ts';

const crib = createToolcrib({ mcpServers, mode: 'discovery' });
await crib.sync();

const client = new OpenAI();
const tools = openaiTools(crib.conversation()).responses;
let input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Note that I have to buy milk.' }];
let previous: string | null = null;

for (;;) {
  const answer: OpenAI.Responses.Response = await client.responses.create({
    model: 'gpt-5',
    tools: tools.tools(),
    input,
    previous_response_id: previous,
  });
  previous = answer.id;
  for (const item of answer.output) console.log(item.type === 'function_call' ? item.arguments : answer.output_text);
  input = await tools.dispatch(answer.output);
  if (input.length === 0) break;
}

await crib.close();
