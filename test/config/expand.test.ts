import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandVariables } from '../../src/config/expand.ts';

const variables = {
  env: { TOKEN: 't0k3n', EMPTY: '', NESTED: `\${TOKEN}`, 'ProgramFiles(x86)': 'C:\\p' },
  workspaceFolder: '/home/me/space',
  userHome: '/home/ann',
};

describe('expandVariables', () => {
  it.each([
    ['plain', 'plain'],
    [`\${TOKEN}`, 't0k3n'],
    [`a-\${TOKEN}-\${TOKEN}-z`, 'a-t0k3n-t0k3n-z'],
    [`\${env:TOKEN}`, 't0k3n'],
    [`\${env:ProgramFiles(x86)}`, 'C:\\p'],
    [`\${EMPTY}`, ''],
    [`\${EMPTY:-fallback}`, 'fallback'],
    [`\${NONE:-fallback}`, 'fallback'],
    [`\${TOKEN:-fallback}`, 't0k3n'],
    [`\${env:NONE:-fallback}`, 'fallback'],
    [`\${NONE:-}`, ''],
    [`\${NONE:-a:-b}`, 'a:-b'],
    [`\${NONE:-\${TOKEN}}!`, 't0k3n!'],
    [`\${NONE:-{"a":{"b":1}}}`, '{"a":{"b":1}}'],
    [`\${workspaceFolder}/src`, '/home/me/space/src'],
    [`\${userHome}/.x`, '/home/ann/.x'],
    [`\${NESTED}`, `\${TOKEN}`],
    ['$TOKEN', '$TOKEN'],
    [`\${TOKEN`, `\${TOKEN`],
    [`\${#array[@]}`, `\${#array[@]}`],
    [`\${}`, `\${}`],
    [`\${*}`, `\${*}`],
    [`\${TOK*}`, `\${TOK*}`],
    [`\${toString:-own only}`, 'own only'],
  ])('%s becomes %s', (text, expected) => {
    expect(expandVariables(text, variables)).toMatchObject({ text: expected, missing: [] });
  });

  it.each([
    [`\${NONE}`, ['NONE']],
    [`\${env:NONE} \${OTHER}`, ['env:NONE', 'OTHER']],
    [`\${input:github-token}`, ['input:github-token']],
    [`\${command:pick.one}`, ['command:pick.one']],
    [`\${NONE:-\${OTHER}}`, ['OTHER']],
    [`\${toString}`, ['toString']],
  ])('%s lacks %j and keeps the text of what it lacks', (text, missing) => {
    const expansion = expandVariables(text, variables);
    expect(expansion.missing).toEqual(missing);
    for (const name of missing) expect(expansion.text).toContain(`\${${name}}`);
  });

  it('names the environment variables it put in', () => {
    expect(expandVariables(`\${TOKEN} \${NONE:-x} \${userHome}`, variables).used).toEqual([
      { name: 'TOKEN', value: 't0k3n' },
    ]);
  });

  it('leaves text without a variable as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!text.includes('${'));
        expect(expandVariables(text, variables)).toEqual({ text, missing: [], used: [] });
      }),
    );
  });

  it('changes nothing the second time', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        `\${TOKEN}`,
        `\${NONE}`,
        `\${NONE:-d}`,
        `\${env:TOKEN}`,
        `\${input:x}`,
        `\${userHome}`,
        '${',
        '}',
      ),
      fc.string(),
    );
    const env = { TOKEN: 't0k3n' };
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const once = expandVariables(pieces.join(''), { ...variables, env }).text;
        expect(expandVariables(once, { ...variables, env }).text).toBe(once);
      }),
    );
  });
});
