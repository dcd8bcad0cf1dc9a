import { describe, expect, it } from 'vitest';
import { terminalColumns, terminalSvg } from '../../scripts/terminal-svg.ts';

describe('terminalSvg', () => {
  it('draws colours, and text that is markup as text', () => {
    const svg = terminalSvg('\u001b[32m✓\u001b[39m <b> & done\r\n\u001b[2mdim\u001b[22m\n');
    expect(svg).toContain('<tspan fill="#7ee787">✓</tspan> &lt;b&gt; &amp; done</text>');
    expect(svg).toContain('<tspan fill="#8b949e">dim</tspan></text>');
    expect(svg.match(/<text /g)).toHaveLength(2);
    expect(svg).not.toContain('\u001b');
  });

  it('breaks long lines where the terminal does', () => {
    const svg = terminalSvg('x'.repeat(terminalColumns + 5));
    expect(svg.match(/<text /g)).toHaveLength(2);
    expect(svg).toContain('>xxxxx</text>');
  });
});
