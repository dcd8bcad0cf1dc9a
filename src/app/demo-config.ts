import { builtFile } from '../model/index.ts';

/** A config with the small servers that the package brings, for `toolcrib demo`. */
export function demoConfig(): { mode: 'discovery'; mcpServers: Record<string, { command: string; args: string[] }> } {
  const servers = ['notes', 'tasks', 'units'].map((id) => [
    id,
    { command: process.execPath, args: [builtFile(`demo/${id}-server`)] },
  ]);
  return { mode: 'discovery', mcpServers: Object.fromEntries(servers) };
}
