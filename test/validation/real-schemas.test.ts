import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject } from '../../src/model/index.ts';
import { createArgumentValidator } from '../../src/validation/index.ts';
import { benchDataHint, isBenchDataAbsent, readReal66 } from '../catalog/bench-data.ts';

describe.skipIf(isBenchDataAbsent)(`the schemas of 66 real servers${benchDataHint}`, () => {
  it('all compile, and an empty object only lacks what they require', { timeout: 120_000 }, () => {
    const validator = createArgumentValidator();
    const odd: string[] = [];
    let tools = 0;
    for (const { server, tools: listed } of readReal66()) {
      for (const { name, inputSchema } of listed) {
        tools += 1;
        if (!isJsonObject(inputSchema)) continue;
        const problem = oddOf(validator.validate({ hash: `${tools}`, inputSchema }, {}), inputSchema);
        if (problem !== undefined) odd.push(`${server} ${String(name)}: ${problem}`);
      }
    }
    expect(tools).toBe(2_514);
    expect(odd).toEqual([]);
  });
});

function oddOf(
  outcome: ReturnType<ReturnType<typeof createArgumentValidator>['validate']>,
  { required }: JsonObject,
): string | undefined {
  if (outcome.ok) return outcome.skipped ?? (Array.isArray(required) && required.length > 0 ? 'fits' : undefined);
  const wrong = outcome.issues.filter(({ rule, path }) => rule !== 'required' || path === '');
  return wrong.length > 0 ? JSON.stringify(wrong) : undefined;
}
