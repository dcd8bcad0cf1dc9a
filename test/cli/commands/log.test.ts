import { describe, expect, it } from 'vitest';
import type { AuditEntry, AuditQuery } from '../../../src/model/index.ts';
import { run } from '../test-io.ts';

const started: AuditEntry = {
  id: 1,
  time: '2026-01-02T03:04:05.000Z',
  kind: 'spawn',
  server: 'notes',
  command: 'npx notes',
};
const failed: AuditEntry = {
  id: 2,
  time: '2026-01-02T03:04:06.000Z',
  kind: 'call',
  caller: 'stdio',
  server: 'notes',
  tool: 'write',
  arguments: '{"text":"a\u001b[31mb"}',
  decision: 'allow',
  rule: 'default',
  operationId: 'op',
  outcome: 'upstream_error',
  durationMs: 12.3,
};

describe('toolcrib log', () => {
  it('prints what was called and started, one line each', async () => {
    const { exitCode, stdout } = await run(['log'], { toolcrib: { auditLog: () => [started, failed] } });
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      [
        '2026-01-02T03:04:05.000Z\tnotes\t\tstarted\t\t\tnpx notes\n',
        '2026-01-02T03:04:06.000Z\tnotes\twrite\tupstream_error\t12\tstdio\t{"text":"ab"}\n',
      ].join(''),
    );
  });

  it('passes its filters on and prints JSON', async () => {
    const asked: (AuditQuery | undefined)[] = [];
    const auditLog = (query?: AuditQuery) => {
      asked.push(query);
      return [failed];
    };
    const { stdout } = await run(['log', '--failed', '--server', 'notes', '--limit', '5', '--json'], {
      toolcrib: { auditLog },
    });
    expect(JSON.parse(stdout)).toEqual([failed]);
    expect(asked).toEqual([{ failedOnly: true, server: 'notes', limit: 5 }]);
  });
});
