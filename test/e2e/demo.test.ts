import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Workspace } from './program.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.create({});
});
afterAll(() => workspace.remove());

describe('toolcrib demo', () => {
  it('does the main job on the servers of the package, and leaves nothing in the current folder', async () => {
    const before = readdirSync(workspace.folder);
    const { code, stdout, stderr } = await workspace.bareCli('demo');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const words of [
      'notes  4 tools',
      'three meta-tools  362 tokens',
      'notes__write_note(',
      'The counter where tools',
      'Did you mean "mile"?',
    ]) {
      expect(stdout).toContain(words);
    }
    expect(readdirSync(workspace.folder)).toEqual(before);
  });
});
