import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../../src/model/index.ts';
import { type PageLimits, type ToolPage, toolPage } from '../../src/server/tool-pages.ts';

function tool(name: string, size = 0): ToolDefinition {
  return { name, description: 'x'.repeat(size), inputSchema: { type: 'object' } };
}

function allPages(list: readonly ToolDefinition[], limits?: PageLimits): ToolPage[] {
  const pages = [toolPage(list, undefined, limits)];
  for (let cursor = pages[0]?.nextCursor; cursor !== undefined; ) {
    const page = toolPage(list, cursor, limits);
    pages.push(page);
    cursor = page.nextCursor;
  }
  return pages;
}

describe('toolPage', () => {
  it('is the whole list where that is small', () => {
    const list = [tool('a'), tool('b')];
    expect(toolPage(list)).toEqual({ tools: list });
    expect(toolPage([])).toEqual({ tools: [] });
  });

  it('cuts after a thousand tools, and before four mebibytes', () => {
    const many = Array.from({ length: 2_500 }, (_, index) => tool(`tool_${index}`));
    expect(allPages(many).map(({ tools }) => tools.length)).toEqual([1_000, 1_000, 500]);
    const large = Array.from({ length: 5 }, (_, index) => tool(`large_${index}`, 1.5 * 1024 * 1024));
    expect(allPages(large).map(({ tools }) => tools.length)).toEqual([2, 2, 1]);
    const huge = [tool('a'), tool('huge', 9 * 1024 * 1024), tool('b')];
    expect(allPages(huge).map(({ tools }) => tools.length)).toEqual([1, 1, 1]);
  });

  it('gives pages that are the list when put together, none over a limit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 300 }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 1_000 }),
        (sizes, maxTools, maxBytes) => {
          const list = sizes.map((size, index) => tool(`t${index}`, size));
          const pages = allPages(list, { maxTools, maxBytes });
          expect(pages.flatMap(({ tools }) => tools)).toEqual(list);
          for (const { tools } of pages) {
            const bytes = tools.reduce((sum, one) => sum + JSON.stringify(one).length, 0);
            expect(tools.length).toBeLessThanOrEqual(maxTools);
            expect(tools.length <= 1 || bytes <= maxBytes).toBe(true);
          }
        },
      ),
    );
  });

  it('gives the same cursors after a restart', () => {
    const limits = { maxTools: 1, maxBytes: 1_000 };
    const cursor = () => toolPage([tool('a'), tool('b')], undefined, limits).nextCursor;
    expect(cursor()).toBe(cursor());
  });

  it('refuses the cursor of a list that has changed since', () => {
    const limits = { maxTools: 1, maxBytes: 1_000 };
    const { nextCursor } = toolPage([tool('a'), tool('b')], undefined, limits);
    const changed = [tool('a'), tool('b', 1)];
    expect(() => toolPage(changed, nextCursor, limits)).toThrow(
      expect.objectContaining({
        code: -32602,
        message: expect.stringMatching(/has changed since .* without a cursor/),
      }),
    );
  });

  it('refuses cursors that nobody was given', () => {
    const limits = { maxTools: 2, maxBytes: 1_000 };
    const list = [tool('a'), tool('b'), tool('c')];
    const { nextCursor = '' } = toolPage(list, undefined, limits);
    const text = Buffer.from(nextCursor, 'base64url').toString();
    const forged = ['0', '1', '3', '-2', '2.0', '99999999999999999999'].map((place) =>
      Buffer.from(text.replace(/:.*/, `:${place}`)).toString('base64url'),
    );
    for (const cursor of ['', 'again', ' ', 'x'.repeat(100_000), ...forged]) {
      const message = expect.stringMatching(/^Unknown cursor .{0,140}Call tools\/list again without a cursor\.$/);
      expect(() => toolPage(list, cursor, limits)).toThrow(expect.objectContaining({ code: -32602, message }));
    }
    fc.assert(
      fc.property(fc.string(), (cursor) => {
        expect(() => toolPage(list, cursor, limits)).toThrow(/Unknown cursor/);
      }),
    );
  });
});
