import Anthropic from '@anthropic-ai/sdk';
import { createToolcrib } from 'toolcrib';
import { anthropicTools } from 'toolcrib/anthropic';

const client = new Anthropic();
const tools = anthropicTools(createToolcrib({ configPath: 'toolcrib.json' }).conversation());
const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Open an issue about the login page.' }];
for (;;) {
  const settings = { model: 'claude-sonnet-5', max_tokens: 4096 };
  const answer = await client.messages.create({ ...settings, tools: tools.tools(), messages });
  messages.push({ role: 'assistant', content: answer.content });
  const results = await tools.dispatch(answer.content);
  if (results.length === 0) break; // the model has said all it wanted to
  messages.push({ role: 'user', content: results });
}
