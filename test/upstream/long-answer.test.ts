import { expect, it } from 'vitest';
import { answeredBy } from '../../src/upstream/long-answer.ts';

const ends = (message: string) => answeredBy({ head: message.slice(0, 40), tail: message.slice(-40) });
const filler = `"${'x'.repeat(100)}"`;

it.each<[string, string | number | undefined]>([
  [`{"jsonrpc":"2.0","id":5,"result":{"content":${filler}}}`, 5],
  [`{"id":"a-5","jsonrpc":"2.0","result":${filler}}`, 'a-5'],
  [`{"result":{"content":${filler}},"jsonrpc":"2.0","id":6}`, 6],
  [`{ "result": ${filler}, "id": 7, "jsonrpc": "2.0" }`, 7],
  [`{"result":{"content":${filler},"id":8}}`, undefined],
  [`{"jsonrpc":"2.0","result":[${filler},{"x":1,"id":8}]}`, undefined],
  [`{"jsonrpc":"2.0","method":"x","params":[${filler}],"id":9}`, undefined],
  [`{"jsonrpc":"2.0","id":9,"method":"x","params":[${filler}]}`, undefined],
  [filler, undefined],
])('%s', (message, id) => {
  expect(ends(message)).toBe(id);
});
