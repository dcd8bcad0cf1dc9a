import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/app/diagnose.ts';
import type { Check } from '../../src/setup/index.ts';
import { rawServer } from '../e2e/program.ts';
import { put, temporaryPlaces } from '../setup/places.ts';

async function checksOf(config: object | undefined): Promise<Check[]> {
  const places = temporaryPlaces();
  const configPath = join(places.configFolder, 'toolcrib.json');
  if (config !== undefined) put(configPath, config);
  const checks: Check[] = [];
  const options = { configPath, catalogPath: join(places.home, 'catalog.sqlite'), logLevel: 'error' } as const;
  await diagnose(options, places, (check) => checks.push(check));
  return checks;
}

describe('diagnose', () => {
  it('starts each server and tells of each fault once, with what to do', async () => {
    const checks = await checksOf({
      embedding: 'none',
      mcpServers: {
        raw: rawServer(),
        gone: { command: 'no-such-program-here' },
        unset: { command: `\${NOT_SET_HERE}` },
      },
      bogus: 1,
    });
    expect(checks.map(({ area, subject, status }) => [area, subject, status])).toEqual(
      expect.arrayContaining([
        ['config', 'bogus', 'warning'],
        ['servers', 'raw', 'ok'],
        ['servers', 'gone', 'error'],
        ['servers', 'unset', 'error'],
        ['model', 'none', 'ok'],
        ['context', expect.stringMatching(/tools$/), 'ok'],
      ]),
    );
    expect(checks.filter(({ message }) => message.includes('NOT_SET_HERE'))).toHaveLength(1);
    expect(checks.filter(({ status, fix }) => status !== 'ok' && fix === undefined)).toEqual([]);
    expect(checks.find(({ subject }) => subject === 'raw')?.durationMs).toBeGreaterThan(0);
  });

  it('names rules of the policy that fit nothing', async () => {
    const policy = [
      { action: 'deny', tool: 'raw__*' },
      { action: 'ask', server: 'RAW' },
      { action: 'allow', server: 'raw', tool: '*' },
    ];
    const checks = await checksOf({ embedding: 'none', mcpServers: { raw: rawServer() }, policy });
    const told = checks.filter(({ subject }) => subject.startsWith('policy rule'));
    expect(told.map(({ subject, status }) => [subject, status])).toEqual([
      ['policy rule 1', 'warning'],
      ['policy rule 2', 'warning'],
    ]);
  });

  it('loads the model', async () => {
    const checks = await checksOf({ mcpServers: {} });
    expect(checks.find(({ area }) => area === 'model')).toMatchObject({
      status: 'ok',
      message: 'gives vectors of 384 values',
    });
    expect(checks.find(({ area }) => area === 'config')).toMatchObject({
      status: 'warning',
      message: 'it names no server',
    });
  });

  it('goes on without a config', async () => {
    const checks = await checksOf(undefined);
    expect(checks.map(({ area, status }) => [area, status])).toEqual([
      ['program', 'ok'],
      ['config', 'error'],
    ]);
  });
});
