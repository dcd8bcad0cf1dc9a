import { describe, expect, it } from 'vitest';
import { ToolcribError } from '../../src/errors/index.ts';
import { run } from './test-io.ts';

const commands = [
  ['serve'],
  ['sync'],
  ['search'],
  ['describe'],
  ['call'],
  ['list', 'servers'],
  ['list', 'tools'],
  ['stats'],
  ['lint'],
  ['collisions'],
  ['eval'],
  ['exercise'],
  ['export'],
  ['diff'],
  ['history'],
  ['approve'],
  ['lock'],
  ['policy', 'test'],
  ['approvals', 'list'],
];

describe('runCli', () => {
  it('prints the version', async () => {
    expect(await run(['--version'])).toMatchObject({ exitCode: 0, stdout: '1.2.3\n', stderr: '' });
  });

  it('lists its commands in the help', async () => {
    const { exitCode, stdout } = await run(['--help']);
    expect(exitCode).toBe(0);
    const names = [...stdout.matchAll(/^ {2}(\w+) .*/gm)].map((match) => match[1]);
    expect(names).toEqual([
      'demo',
      'init',
      'import',
      'install',
      'uninstall',
      'doctor',
      'serve',
      'sync',
      'search',
      'describe',
      'call',
      'list',
      'stats',
      'lint',
      'collisions',
      'eval',
      'exercise',
      'export',
      'console',
      'diff',
      'history',
      'approve',
      'lock',
      'log',
      'policy',
      'approvals',
      'token',
      'login',
      'logout',
      'completion',
      'help',
    ]);
    expect(stdout).toContain('Example:\n  $ toolcrib ');
  });

  it.each(commands)('%s %s: has help with the common options and an example', async (...argv) => {
    const { exitCode, stdout, stderr } = await run([...argv, '--help']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    for (const option of ['--config <file>', '--catalog <file>', '--json', '--log-level <level>', '--help']) {
      expect(stdout).toContain(option);
    }
    expect(stdout).toContain(`Example:\n  $ toolcrib ${argv.join(' ')}`);
  });

  it.each(commands.filter(([name]) => name !== 'serve' && name !== 'lock'))(
    '%s %s: opens what was named',
    async (...argv) => {
      const needsArgument = [
        'search',
        'describe',
        'call',
        'diff',
        'history',
        'approve',
        'policy',
        'eval',
        'exercise',
      ].includes(argv[0] ?? '');
      const { opened, calls } = await run([
        ...argv,
        ...(needsArgument ? ['x'] : []),
        ...['--config', 'c.json', '--catalog', 'c.sqlite', '--log-level', 'debug'],
      ]);
      expect(opened).toMatchObject([{ configPath: 'c.json', catalogPath: 'c.sqlite', logLevel: 'debug' }]);
      expect(calls.at(-1)).toBe('close');
    },
  );

  it('shows the help on stderr when no command is given', async () => {
    const { exitCode, stdout, stderr } = await run([]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('Usage: toolcrib');
  });

  it.each([
    [['serch', 'x'], "unknown command 'serch'"],
    [['search', 'x', '--sever', 'a'], "unknown option '--sever'"],
    [['search'], "missing required argument 'query'"],
    [['list', 'tool'], "unknown command 'tool'"],
    [['stats', 'x'], 'too many arguments'],
    [['stats', '--log-level', 'loud'], 'Allowed choices are debug, info, warn, error.'],
  ])('ends with 2 for %j', async (argv, message) => {
    const { exitCode, stdout, stderr, opened } = await run(argv);
    expect({ exitCode, stdout, opened }).toEqual({ exitCode: 2, stdout: '', opened: [] });
    expect(stderr).toContain('error: Command used wrongly (usage_invalid)\n');
    expect(stderr).toContain(message);
    expect(stderr).toContain('next: Run the command with --help.\n');
  });

  it.each([
    ['config_not_found', 2],
    ['config_invalid', 2],
    ['server_unknown', 2],
    ['port_in_use', 2],
    ['ambiguous_tool', 2],
    ['unknown_tool', 3],
    ['catalog_corrupt', 1],
    ['upstream_timeout', 1],
    ['invalid_cursor', 2],
    ['internal', 1],
  ] as const)('%s ends with %i', async (code, exitCode) => {
    const open = async () => {
      throw new ToolcribError(code, 'It went wrong.');
    };
    expect((await run(['stats'], { app: { open } })).exitCode).toBe(exitCode);
  });

  it('closes what it opened when the work fails', async () => {
    const stats = async () => {
      throw new Error('boom');
    };
    const { exitCode, stderr, calls } = await run(['stats'], { toolcrib: { stats } });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('error: Fault in toolcrib (internal)\nboom\n');
    expect(stderr).toContain('run-cli.test.ts');
    expect(calls.at(-1)).toBe('close');
  });

  it('ends the work and closes when it is interrupted', async () => {
    const controller = new AbortController();
    const call = () => new Promise<never>(() => controller.abort());
    const { exitCode, stderr, calls } = await run(['call', 'x'], { toolcrib: { call }, signal: controller.signal });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('The command was interrupted.');
    expect(calls.at(-1)).toBe('close');
  });

  it('does not begin when it is already interrupted', async () => {
    const { exitCode } = await run(['stats'], { signal: AbortSignal.abort() });
    expect(exitCode).toBe(1);
  });
});
