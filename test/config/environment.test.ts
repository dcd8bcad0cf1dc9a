import { describe, expect, it } from 'vitest';
import { baseEnvironment } from '../../src/config/index.ts';

describe('baseEnvironment', () => {
  it('passes on what programs need and nothing that could be a credential', () => {
    const env = { HOME: '/h', PATH: '/bin', TERM: 'xterm', GITHUB_TOKEN: 'x', AWS_SECRET: 'y', LANG: 'C' };
    expect(baseEnvironment(env, 'linux')).toEqual({ HOME: '/h', PATH: '/bin', TERM: 'xterm' });
  });

  it('knows the names of Windows in any case', () => {
    const env = { Path: 'C:\\bin', SystemRoot: 'C:\\W', HOME: '/h', TOKEN: 'x' };
    expect(baseEnvironment(env, 'win32')).toEqual({ Path: 'C:\\bin', SystemRoot: 'C:\\W' });
  });

  it('leaves out functions that a shell exported, and unset names', () => {
    expect(baseEnvironment({ SHELL: '() { :; }', USER: undefined, HOME: '/h' }, 'linux')).toEqual({ HOME: '/h' });
  });
});
