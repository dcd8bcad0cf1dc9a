import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanQuery, literalKinds, withoutNegations } from '../../../src/search/query/clean-query.ts';

describe('cleanQuery', () => {
  it.each([
    ['create an issue', 'create an issue'],
    ['open https://example.org/a?b=c in the browser', 'open in the browser'],
    ['mail bob@example.org the report', 'mail the report'],
    ['rename the file "draft one" please', 'rename the file please'],
    ["what's Anna's plan", "what's Anna's plan"],
    ['save it to /tmp/report.md, then stop', 'save it to, then stop'],
    ['close issue 4211 and PR-17.', 'close issue and.'],
    ['12345', '12345'],
    ['"only quoted"', '"only quoted"'],
    ['이슈 생성', '이슈 생성'],
  ])('%j', (query, cleaned) => {
    expect(cleanQuery(query)).toBe(cleaned);
  });

  it('is total, leaves something of everything and changes nothing twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (query) => {
        const cleaned = cleanQuery(query);
        expect(cleaned === '').toBe(query.trim() === '');
        expect(cleanQuery(cleaned).length).toBeLessThanOrEqual(cleaned.length);
      }),
    );
  });
});

describe('literalKinds', () => {
  it.each([
    ['see https://example.org', ['url']],
    ['write to anna@example.org', ['url', 'email']],
    ['read ~/notes/plan.md', ['path']],
    ['meetings next Monday', ['date']],
    ['create an issue', []],
  ])('%j', (query, kinds) => {
    expect(literalKinds(query)).toEqual(kinds);
  });
});

describe('withoutNegations', () => {
  it.each([
    ['do not delete, just list the branches', ' , just list the branches'],
    ["list the files but don't open them", 'list the files but   them'],
    ['never delete', 'never delete'],
    ['send without attachments', 'send  '],
    ['why does the build not start', 'why does the build not start'],
  ])('%j', (query, rest) => {
    expect(withoutNegations(query)).toBe(rest);
  });
});
