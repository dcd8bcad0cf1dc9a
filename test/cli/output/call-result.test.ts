import { describe, expect, it } from 'vitest';
import { formatResult } from '../../../src/cli/output/call-result.ts';

describe('formatResult', () => {
  it('prints texts, and says what else there is', () => {
    const content = [
      { type: 'text', text: 'first\n' },
      { type: 'text', text: 'second' },
      { type: 'image', mimeType: 'image/png', data: 'aGVsbG8=' },
      { type: 'audio', mimeType: 'audio/wav', data: 'aGk=' },
      { type: 'resource_link', uri: 'file:///a.txt', name: 'a' },
      { type: 'resource', resource: { uri: 'file:///b.txt', text: 'inside' } },
      { type: 'resource', resource: { uri: 'file:///c.bin', blob: 'aGVsbG8=' } },
      { type: 'later_kind', x: 1 },
    ];
    expect(formatResult({ content }, false)).toBe(
      [
        'first',
        'second',
        '[image image/png, 5 bytes; --json has the data]',
        '[audio audio/wav, 2 bytes; --json has the data]',
        '[resource link file:///a.txt]',
        'inside',
        '[resource file:///c.bin, 5 bytes; --json has the data]',
        '{"type":"later_kind","x":1}',
        '',
      ].join('\n'),
    );
  });

  it('prints structured content where there is no text', () => {
    expect(formatResult({ content: [], structuredContent: { a: 1 } }, false)).toBe('{\n  "a": 1\n}\n');
    const both = { content: [{ type: 'text', text: 'a is 1' }], structuredContent: { a: 1 } };
    expect(formatResult(both, false)).toBe('a is 1\n');
    expect(formatResult({ content: [] }, false)).toBe('');
  });

  it('is safe for a terminal only where it goes to one', () => {
    const result = { content: [{ type: 'text', text: '\u001b[2Jx' }] };
    expect(formatResult(result, true)).toBe('x\n');
    expect(formatResult(result, false)).toBe('\u001b[2Jx\n');
  });
});
