import { describe, expect, it } from 'vitest';
import { ReturnedLinks } from '../../src/router/returned-links.ts';

const link = (uri: string) => ({ type: 'resource_link', uri, name: 'a' });

describe('ReturnedLinks', () => {
  it('keeps a bounded number of URIs and callers, and none that is very long', () => {
    const links = new ReturnedLinks();
    const many = Array.from({ length: 1_500 }, (_, index) => link(`file:///${index}`));
    links.remember('ada', 'one', { content: many });
    expect(links.serversOf('ada', 'file:///499')).toEqual([]);
    expect(links.serversOf('ada', 'file:///500')).toEqual(['one']);
    const long = `data:,${'x'.repeat(5_000)}`;
    links.remember('ada', 'one', { content: [link(long)] });
    expect(links.serversOf('ada', long)).toEqual([]);
    for (let index = 0; index < 100; index += 1) links.remember(`caller ${index}`, 'one', { content: [link('x:a')] });
    expect(links.serversOf('ada', 'file:///1499')).toEqual([]);
    expect(links.serversOf('caller 99', 'x:a')).toEqual(['one']);
  });
});
