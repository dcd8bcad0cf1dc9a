import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KeywordColumn } from '../../../src/model/index.ts';
import { QuerySlots } from '../../../src/search/ranker/query-slots.ts';
import {
  decodeProfile,
  encodeProfile,
  frequencyOf,
  part,
  partsOf,
  type ToolProfile,
  termHash,
} from '../../../src/search/ranker/tool-profile.ts';

const noWords: Record<KeywordColumn, string> = { name: '', title: '', description: '', parameters: '', server: '' };

function profileOf(serverId: string, keywords: Partial<Record<KeywordColumn, string>>): ToolProfile {
  return decodeProfile(encodeProfile(serverId, { ...noWords, ...keywords })) as ToolProfile;
}

function occurrencesOf(profile: ToolProfile, term: string): number {
  const slots = new QuerySlots(['something else', term]);
  return slots.read(profile)[slots.of(term)] as number;
}

describe('the profile of a tool', () => {
  it('says where a word occurs', () => {
    const profile = profileOf('hub', {
      name: 'create issu',
      title: 'new',
      description: 'issu tracker',
      parameters: 'titl',
      server: 'hub',
    });
    expect(partsOf(occurrencesOf(profile, 'issu'))).toBe(part.name | part.description);
    expect(partsOf(occurrencesOf(profile, 'new'))).toBe(part.name);
    expect(partsOf(occurrencesOf(profile, 'titl'))).toBe(part.parameters);
    expect(partsOf(occurrencesOf(profile, 'hub'))).toBe(part.server);
    expect(occurrencesOf(profile, 'absent')).toBe(0);
  });

  it('weighs a word by its place and by the length of the text, and repetition only so far', () => {
    const inName = profileOf('s', { name: 'issu', description: 'tracker' });
    expect(frequencyOf(occurrencesOf(inName, 'issu'))).toBeGreaterThan(frequencyOf(occurrencesOf(inName, 'tracker')));
    const long = profileOf('s', { description: `issu ${'other '.repeat(99).trim()}` });
    const short = profileOf('s', { description: 'issu' });
    expect(frequencyOf(occurrencesOf(long, 'issu'))).toBeLessThan(frequencyOf(occurrencesOf(short, 'issu')));
    const stuffed = (times: number) =>
      profileOf('s', { description: `${'issu '.repeat(times)}${'other '.repeat(100 - times)}`.trim() });
    expect(occurrencesOf(stuffed(50), 'issu')).toBe(occurrencesOf(stuffed(4), 'issu'));
    expect(occurrencesOf(stuffed(4), 'issu')).toBeGreaterThan(occurrencesOf(stuffed(3), 'issu'));
  });

  it('knows the core of the name, and the verb of the name or else of the description', () => {
    const { numbers, wordCount } = profileOf('git hub', { name: 'git list issu', server: 'git hub' });
    expect([...numbers.subarray(2 * wordCount)]).toEqual([termHash('list'), termHash('issu')]);
    expect(profileOf('s', { name: 'ticket', description: 'delet an issu' }).verbClasses).toContain('delete');
    expect(profileOf('s', { name: 'list issu', description: 'delet' }).verbClasses).not.toContain('delete');
    expect(profileOf('s', { name: 'ticket' }).verbClasses).toEqual([]);
  });

  it('is not read from other bytes', () => {
    expect(decodeProfile(new Uint8Array())).toBeUndefined();
    expect(decodeProfile(Uint8Array.of(1, 2, 3))).toBeUndefined();
    expect(decodeProfile(new Uint8Array(Uint32Array.of(4, 0, 1, 2, 3).buffer))).toBeUndefined();
  });

  it('reads the same for any set of terms that is asked about', () => {
    const term = fc.stringMatching(/^[a-z]{1,6}$/);
    const terms = fc.uniqueArray(term, { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(terms, terms, (held, asked) => {
        const profile = profileOf('s', { description: held.join(' ') });
        const slots = new QuerySlots(asked);
        const read = slots.read(profile);
        for (const word of asked) {
          expect(partsOf(read[slots.of(word)] as number)).toBe(held.includes(word) ? part.description : 0);
        }
      }),
    );
  });
});
