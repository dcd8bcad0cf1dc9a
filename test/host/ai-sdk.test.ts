import { createGateway, generateText, type ModelMessage, stepCountIs, type ToolSet } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import { type ScriptedModel, startScriptedModel, type Turn } from '../../examples/scripted-model.ts';
import { aiSdkTools } from '../../src/host/ai-sdk.ts';
import type { CreateOptions, ToolSource } from '../../src/index.ts';
import { blocksServer, create, filled } from './set-up.ts';

const models: ScriptedModel[] = [];
afterEach(async () => {
  for (const model of models.splice(0)) await model.close();
});

async function generate(
  source: ToolSource,
  turns: Turn[],
  more: { messages?: ModelMessage[]; abortSignal?: AbortSignal } = {},
) {
  const model = await startScriptedModel(turns);
  models.push(model);
  const gateway = createGateway({ baseURL: model.url, apiKey: 'scripted' });
  const { messages = [{ role: 'user', content: 'Go.' }], ...others } = more;
  const tools: ToolSet = aiSdkTools(source);
  const result = await generateText({
    model: gateway('scripted/model'),
    tools,
    messages,
    stopWhen: stepCountIs(5),
    maxRetries: 0,
    ...others,
  });
  return { result, requests: model.requests };
}

async function blocks(options: CreateOptions = {}) {
  const crib = create({ mcpServers: { blocks: blocksServer }, ...options });
  await crib.sync();
  return crib;
}

const callTool = (name: string, args: unknown = {}): Turn => ({
  calls: [{ name: 'call_tool', input: { name, arguments: args } }],
});
const done: Turn = { text: 'Done.' };

/** What the provider was sent of the results of tools. */
function outputs(request: Record<string, unknown> | undefined): unknown[] {
  const prompt = (request?.prompt ?? []) as { role: string; content: { output?: unknown }[] }[];
  return prompt.filter(({ role }) => role === 'tool').flatMap(({ content }) => content.map(({ output }) => output));
}

describe('a ToolSet', () => {
  it('reaches the provider with the schemas as they are', async () => {
    const { requests } = await generate(filled(), [done]);
    const tools = requests[0]?.tools as { name: string; inputSchema: object }[];
    expect(tools.map(({ name }) => name)).toEqual(['search_tools', 'describe_tool', 'call_tool']);
    // The AI SDK closes the schemas of other libraries, and no argument could pass.
    expect(tools[2]?.inputSchema).toEqual(filled().tools()[2]?.inputSchema);
  });

  it('searches, calls, and ends with words', async () => {
    const search = { calls: [{ name: 'search_tools', input: { query: 'give odd' } }] };
    const { result, requests } = await generate(await blocks(), [
      search,
      callTool('blocks__odd', { $filter: 'x' }),
      done,
    ]);
    expect(result.text).toBe('Done.');
    expect(JSON.stringify(outputs(requests[1]))).toContain('blocks__odd');
    expect(outputs(requests[2])[1]).toEqual({ type: 'content', value: [{ type: 'text', text: '{"$filter":"x"}' }] });
  });

  it('passes images, files and errors on', async () => {
    const crib = await blocks();
    const picture = await generate(crib, [callTool('blocks__picture'), done]);
    expect(outputs(picture.requests[1])[0]).toMatchObject({
      type: 'content',
      value: [
        { type: 'text', text: 'Here it is.' },
        { type: 'image-data', mediaType: 'image/png' },
      ],
    });
    const all = await generate(crib, [callTool('blocks__everything'), done]);
    expect(JSON.stringify(outputs(all.requests[1]))).toContain('"filename":"file:///b/report.pdf"');
    const failing = await generate(crib, [callTool('blocks__failing'), done]);
    expect(outputs(failing.requests[1])[0]).toMatchObject({
      type: 'error-text',
      value: expect.stringMatching(/^no such row\n/),
    });
  });

  it('has the model told where its arguments are no JSON', async () => {
    const crib = await blocks();
    const { requests } = await generate(crib, [{ calls: [{ name: 'call_tool', input: '{"name": "blo' }] }, done]);
    expect(JSON.stringify(outputs(requests[1]))).toMatch(/error-text.*(JSON|Invalid input)/);
    expect(crib.auditLog().filter(({ kind }) => kind === 'call')).toEqual([]);
  });

  it('cancels a call when the generation is aborted', async () => {
    const crib = await blocks();
    const abort = new AbortController();
    const hanging = generate(crib, [callTool('blocks__hang'), done], { abortSignal: abort.signal });
    const failed = hanging.catch((error: unknown) => error);
    await expect.poll(() => models[0]?.requests.length).toBe(1);
    setTimeout(() => abort.abort(), 300);
    await failed;
    await expect.poll(() => crib.auditLog().map(({ outcome }) => outcome), { timeout: 20_000 }).toContain('cancelled');
  });
});

describe('a call that the policy asks about', () => {
  const policy = [{ action: 'ask' as const, tool: 'odd' }, { action: 'allow' as const }];
  const call = callTool('blocks__odd', { $filter: 'x' });

  /** The messages of a host whose user has answered. */
  async function answered(source: ToolSource, approved: boolean): Promise<ModelMessage[]> {
    const { result } = await generate(source, [call]);
    const request = result.content.find(({ type }) => type === 'tool-approval-request');
    if (request?.type !== 'tool-approval-request') throw new Error('nobody was asked');
    const response = { type: 'tool-approval-response' as const, approvalId: request.approvalId, approved };
    return [{ role: 'user', content: 'Go.' }, ...result.response.messages, { role: 'tool', content: [response] }];
  }

  it('waits for the answer, and runs after a yes', async () => {
    const crib = await blocks({ policy });
    const messages = await answered(crib, true);
    expect(crib.auditLog().filter(({ kind }) => kind === 'call')).toEqual([]);
    const { requests } = await generate(crib, [done], { messages });
    expect(outputs(requests[0])[0]).toEqual({ type: 'content', value: [{ type: 'text', text: '{"$filter":"x"}' }] });
  });

  it('does not run after a no', async () => {
    const crib = await blocks({ policy });
    const messages = await answered(crib, false);
    const { requests } = await generate(crib, [done], { messages });
    expect(JSON.stringify(outputs(requests[0]))).toContain('execution-denied');
    await crib.call('blocks__nothing');
    await expect.poll(() => crib.auditLog().map(({ tool }) => tool), { timeout: 20_000 }).toContain('nothing');
    expect(crib.auditLog().map(({ tool }) => tool)).not.toContain('odd');
  });

  it('runs by no yes to another call', async () => {
    const crib = await blocks({ policy });
    const messages = await answered(crib, true);
    const { call_tool } = aiSdkTools(crib);
    const input = { name: 'blocks__odd', arguments: { $filter: 'other' } };
    const result = await call_tool?.execute(input, { toolCallId: 'another', messages });
    expect(result).toMatchObject({ isError: true, _meta: { 'dev.toolcrib/error': { code: 'approval_required' } } });
  });

  it('is nobody asked about where it only reads what toolcrib knows, or means no tool', () => {
    const crib = filled({ policy: [{ action: 'ask' }] });
    const { search_tools, call_tool } = aiSdkTools(crib);
    expect(search_tools?.needsApproval({ query: 'x' })).toBe(false);
    expect(call_tool?.needsApproval({ name: 'no_such_tool' })).toBe(false);
    expect(call_tool?.needsApproval('{"name":')).toBe(false);
    expect(call_tool?.needsApproval({ name: 'notes__read_note' })).toBe(true);
    expect(call_tool?.needsApproval({ name: 'read_note', arguments: {} })).toBe(true);
  });
});
