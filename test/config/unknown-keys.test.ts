import { describe, expect, it } from 'vitest';
import { optionsSource } from '../../src/config/source.ts';
import { unknownKeyWarnings } from '../../src/config/unknown-keys.ts';

function warnings(scope: 'config' | 'server' | 'tools' | 'limits' | 'http', value: unknown): string[] {
  return unknownKeyWarnings(optionsSource(value), value, scope, []).map(({ message }) => message);
}

describe('unknownKeyWarnings', () => {
  it.each([
    ['config', 'mcpservers', 'did you mean "mcpServers"?'],
    ['config', 'MODE', 'did you mean "mode"?'],
    ['config', 'contextwindow', 'did you mean "contextWindow"?'],
    ['config', 'somethingElse', 'it is ignored'],
    ['server', 'arg', 'did you mean "args"?'],
    ['server', 'timeout', 'did you mean "timeoutMs"?'],
    ['server', 'header', 'did you mean "headers"?'],
    ['tools', 'includes', 'did you mean "include"?'],
    ['limits', 'paralelStarts', 'did you mean "parallelStarts"?'],
    ['http', 'prot', 'did you mean "port"?'],
    ['server', 'envFile', 'is not read'],
  ] as const)('in %s, %s: %s', (scope, key, hint) => {
    expect(warnings(scope, { [key]: 1 })).toEqual([expect.stringContaining(hint)]);
  });

  it.each([
    ['config', ['$schema', 'inputs', 'globalShortcut', 'mcpServers', 'mode']],
    ['server', ['autoApprove', 'alwaysAllow', 'gallery', 'disabled', 'command', 'dev']],
  ] as const)('in %s, says nothing about %j', (scope, keys) => {
    expect(warnings(scope, Object.fromEntries(keys.map((key) => [key, 1])))).toEqual([]);
  });

  it('says nothing about a key without a value, or about what is no object', () => {
    expect(warnings('config', { whatever: undefined })).toEqual([]);
    expect(warnings('config', 5)).toEqual([]);
  });
});
