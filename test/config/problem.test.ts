import { describe, expect, it } from 'vitest';
import { formatJsonPath, formatProblem } from '../../src/config/problem.ts';

describe('formatJsonPath', () => {
  it.each([
    [[], ''],
    [['mode'], 'mode'],
    [['mcpServers', 'git-hub', 'args', 1], 'mcpServers.git-hub.args[1]'],
    [['mcpServers', 'my server', 'command'], 'mcpServers["my server"].command'],
    [['mcpServers', 'a.b'], 'mcpServers["a.b"]'],
  ])('%j reads %s', (path, expected) => {
    expect(formatJsonPath(path)).toBe(expected);
  });
});

describe('formatProblem', () => {
  it('puts the place first, as far as it is known', () => {
    const problem = { severity: 'error', jsonPath: 'mode', message: 'expected x, got y' } as const;
    expect(formatProblem(problem)).toBe('mode: expected x, got y');
    expect(formatProblem({ ...problem, path: '/c.json', line: 3, column: 9 })).toBe(
      '/c.json:3:9: mode: expected x, got y',
    );
  });
});
