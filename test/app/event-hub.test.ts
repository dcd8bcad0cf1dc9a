import { expect, it } from 'vitest';
import { EventHub } from '../../src/app/event-hub.ts';

const state = { id: 'a', state: 'ready' } as const;

it('tells every listener, and goes on when one throws', () => {
  const hub = new EventHub();
  const heard: string[] = [];
  hub.on('serverState', () => {
    throw new Error('fault of a listener');
  });
  hub.on('serverState', ({ id }) => heard.push(id));
  hub.emit('serverState', state);
  expect(heard).toEqual(['a']);
});

it('stops telling a listener that was taken away, however often', () => {
  const hub = new EventHub();
  let count = 0;
  const stop = hub.on('serverState', () => {
    count += 1;
  });
  hub.emit('serverState', state);
  stop();
  stop();
  hub.emit('serverState', state);
  expect(count).toBe(1);
});
