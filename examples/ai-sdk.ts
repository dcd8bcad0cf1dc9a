// An agent on the AI SDK, here through its gateway; any of its providers does. Run it: npm run example ai-sdk
import { createGateway, generateText, stepCountIs } from 'ai';
import { createToolcrib } from 'toolcrib';
import { aiSdkTools } from 'toolcrib/ai-sdk';
import { mcpServers } from './servers.ts';

const crib = createToolcrib({ mcpServers, mode: 'discovery' });
await crib.sync();

const baseURL = process.env.AI_GATEWAY_BASE_URL;
const gateway = createGateway(baseURL === undefined ? {} : { baseURL });

const { steps } = await generateText({
  model: gateway('openai/gpt-5'),
  tools: aiSdkTools(crib.conversation()),
  prompt: 'Note that I have to buy milk.',
  stopWhen: stepCountIs(10),
});
for (const { toolCalls, text } of steps) console.log(text || toolCalls.map(({ input }) => input));

await crib.close();
