/**
 * What the small MCP servers of `toolcrib demo` share. Each `*-server.ts` beside it is a program of its own. Imports nothing of
 * the project.
 */
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { z } from 'zod';

/** What a demo server says of one of its tools. `run` answers in text, and throws what the caller did wrong. */
export interface DemoTool<Input extends z.ZodObject = z.ZodObject> {
  name: string;
  description: string;
  input: Input;
  readOnly?: boolean;
  run(args: z.output<Input>): string;
}

/** Keeps the type of a tool's arguments within a list of different tools. */
export function tool<Input extends z.ZodObject>(definition: DemoTool<Input>): DemoTool {
  return definition as unknown as DemoTool;
}

/** Serves tools over standard input and output until the host leaves. */
export function serveTools(name: string, tools: readonly DemoTool[]): void {
  serveStdio(() => {
    const server = new McpServer({ name, version: '1.0.0' });
    for (const { name: toolName, description, input, readOnly = false, run } of tools) {
      const annotations = { readOnlyHint: readOnly, openWorldHint: false };
      server.registerTool(toolName, { description, inputSchema: input, annotations }, async (args) =>
        answer(run, args),
      );
    }
    return server;
  });
}

function answer(run: DemoTool['run'], args: Record<string, unknown>) {
  try {
    return { content: [{ type: 'text' as const, text: run(args) }] };
  } catch (error) {
    return { content: [{ type: 'text' as const, text: String((error as Error).message) }], isError: true };
  }
}
