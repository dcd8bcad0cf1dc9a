import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoConfig } from '../../src/app/demo-config.ts';
import { connectHost, type Host, textOf } from '../fixtures/hosts/index.ts';

const hosts = new Map<string, Host>();
beforeAll(async () => {
  for (const [id, { command, args }] of Object.entries(demoConfig().mcpServers)) {
    hosts.set(id, await connectHost('v1', { kind: 'stdio', command, args }));
  }
});
afterAll(async () => {
  for (const host of hosts.values()) await host.close();
});

async function call(name: string, args: Record<string, unknown>): Promise<string> {
  const [id = '', tool = ''] = name.split('/');
  const host = hosts.get(id);
  if (host === undefined) throw new Error(`no server ${id}`);
  return textOf(await host.call(tool, args));
}

describe('the servers of the demo', () => {
  it('describe their tools and what these do', async () => {
    for (const host of hosts.values()) {
      const tools = await host.listTools();
      expect(tools).toHaveLength(4);
      for (const { description, annotations } of tools) {
        expect(description).toMatch(/\w/);
        expect(annotations).toMatchObject({ readOnlyHint: expect.any(Boolean) });
      }
    }
  });

  it('keep notes', async () => {
    await call('notes/write_note', { title: 'A', text: 'first', tags: ['Red'] });
    expect(await call('notes/find_notes', { word: 'red' })).toBe('A');
    expect(await call('notes/read_note', { title: 'A' })).toBe('first');
    await call('notes/delete_note', { title: 'A' });
    expect(await call('notes/find_notes', { word: 'red' })).toBe('No note fits.');
    expect(await call('notes/read_note', { title: 'A' })).toBe('There is no note "A".');
  });

  it('keep tasks', async () => {
    await call('tasks/create_task', { title: 'later' });
    await call('tasks/create_task', { title: 'sooner', dueDate: '2026-05-01' });
    expect(await call('tasks/list_tasks', {})).toBe('2. sooner (due 2026-05-01)\n1. later');
    await call('tasks/set_due_date', { id: 1, dueDate: '2026-04-01' });
    await call('tasks/complete_task', { id: 2 });
    expect(await call('tasks/list_tasks', {})).toBe('1. later (due 2026-04-01)');
    expect(await call('tasks/complete_task', { id: 9 })).toBe('There is no task 9.');
  });

  it.each([
    ['units/convert_length', { value: 3, from: 'mile', to: 'kilometre' }, '4.82803 kilometre'],
    ['units/convert_weight', { value: 1, from: 'pound', to: 'ounce' }, '16 ounce'],
    ['units/convert_temperature', { degrees: 100, from: 'celsius', to: 'fahrenheit' }, '212 fahrenheit'],
    ['units/convert_temperature', { degrees: 32, from: 'fahrenheit', to: 'kelvin' }, '273.15 kelvin'],
    ['units/days_between', { start: '2026-02-27', end: '2026-03-01' }, '2 days'],
  ])('reckon: %s %j', async (name, args, expected) => {
    expect(await call(name, args)).toBe(expected);
  });
});
