import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Arm, armNames, createArm, isProductArm } from '../../bench/arms/index.ts';
import { toolSetOf } from '../../bench/data/load-tools.ts';

const inputSchema = { type: 'object', properties: { title: { type: 'string', description: 'headline' } } };

/** Ids that look like nothing else, so that an arm which returns names is caught. */
const rows = [
  { id: '#1', server: 'tracker', name: 'create_issue', description: 'Open a new issue in a repository.', inputSchema },
  {
    id: '#2',
    server: 'tracker',
    name: 'list_issues',
    description: 'List the issues of a repository.',
    inputSchema: {},
  },
  { id: '#3', server: 'weather', name: 'forecast', description: 'Weather of the coming days.', inputSchema: {} },
  { id: '#4', server: 'mail', name: 'send_mail', description: 'Send an e-mail message.', inputSchema: {} },
  // The same name on another server, and a second one on the same server, which nobody can call.
  { id: '#5', server: 'wiki', name: 'forecast', description: 'Sales predicted by quarter.', inputSchema: {} },
  { id: '#6', server: 'weather', name: 'forecast', description: 'Weather of the coming days, again.', inputSchema: {} },
];

describe.each(armNames)('arm %s', (name) => {
  let arm: Arm;
  beforeAll(async () => {
    arm = createArm(name);
    await arm.index(toolSetOf(rows));
  });
  afterAll(() => arm.close());

  it('is called what it was asked for as', () => expect(arm.name).toBe(name));

  it.each([
    ['weather in the next days', '#3'],
    ['sales prediction by quarter', '#5'],
    ['send a message by mail', '#4'],
  ])('answers %j with the label id of the right tool first', async (query, label) => {
    const { ranked, topScore } = await arm.search(query, 5);
    expect(ranked[0]).toBe(label);
    expect(topScore).toBeGreaterThan(0);
  });

  it('returns known labels, each once, never more than asked for, and the same each time', async () => {
    const all = await arm.search('list weather forecast issues and send mail', 20);
    expect(new Set(all.ranked).size).toBe(all.ranked.length);
    expect(['#1', '#2', '#3', '#4', '#5']).toEqual(expect.arrayContaining(all.ranked));
    const two = await arm.search('list weather forecast issues and send mail', 2);
    expect(two.ranked.length).toBeLessThanOrEqual(2);
    expect(two.ranked).toEqual(all.ranked.slice(0, two.ranked.length));
    expect(await arm.search('list weather forecast issues and send mail', 20)).toEqual(all);
  });

  it.each(['?!', '"', 'NEAR(', 'AND OR NOT', '名前', 'a"b*c:d^e'])('survives %j', async (query) => {
    expect((await arm.search(query, 5)).ranked.length).toBeLessThanOrEqual(5);
  });

  it('judges its answers if and only if it is the product', async () => {
    const { confidence } = await arm.search('weather in the next days', 5);
    expect(confidence !== undefined).toBe(isProductArm(name));
  });

  it('closes twice without complaint', async () => {
    const other = createArm(name);
    await other.close();
    await other.close();
  });
});
