import { describe, expect, it } from 'vitest';
import { EmbedQueue } from '../../../src/search/embedding/embed-queue.ts';

function recordingQueue() {
  const order: string[] = [];
  const queue = new EmbedQueue(async (text, parts = []) => {
    order.push(text);
    if (text === 'bad') throw new Error('cannot be embedded');
    return [text, ...parts].map(({ length }) => Float32Array.of(length));
  });
  return { order, queue };
}

describe('EmbedQueue', () => {
  it('lets a query overtake between two texts of a batch', async () => {
    const { order, queue } = recordingQueue();
    const documents = queue.add(['d1', 'd2', 'd3'], 'document');
    const query = queue.add(['q1'], 'query');
    expect(await query).toEqual([Float32Array.of(2)]);
    expect(await documents).toHaveLength(3);
    expect(order).toEqual(['d1', 'q1', 'd2', 'd3']);
  });

  it('gives other work a turn after each text', async () => {
    const { order, queue } = recordingQueue();
    const documents = queue.add(['d1', 'd2', 'd3'], 'document');
    setImmediate(() => order.push('other work'));
    await documents;
    expect(order.indexOf('other work')).toBeLessThan(order.indexOf('d3'));
  });

  it('goes on after a text that fails', async () => {
    const { queue } = recordingQueue();
    const failing = queue.add(['d1', 'bad', 'd2'], 'document');
    const next = queue.add(['d3'], 'document');
    await expect(failing).rejects.toThrow('cannot be embedded');
    expect(await next).toHaveLength(1);
  });

  it('answers an empty batch at once', async () => {
    expect(await recordingQueue().queue.add([], 'query')).toEqual([]);
  });

  it('rejects what is waiting when cleared', async () => {
    const { queue } = recordingQueue();
    const documents = queue.add(['d1', 'd2'], 'document');
    queue.clear(new Error('closed'));
    await expect(documents).rejects.toThrow('closed');
  });

  it('takes a query and its parts as one text, ahead of documents', async () => {
    const { order, queue } = recordingQueue();
    const documents = queue.add(['d1', 'd2'], 'document');
    const parts = queue.addParts('list and sort', ['list', 'sort it']);
    expect(await parts).toEqual([Float32Array.of(13), Float32Array.of(4), Float32Array.of(7)]);
    await documents;
    expect(order).toEqual(['d1', 'list and sort', 'd2']);
  });
});
