import type { ServerState, SyncReport } from '../../model/index.ts';
import type { Check } from './check.ts';

/** What became of a server that was started and listed, with what to do where it failed. */
export function checkServer(report: SyncReport, state: ServerState['state']): Check {
  const { server, error = '', tools, durationMs } = report;
  const check = { area: 'servers', subject: server } as const;
  if (report.state === 'disabled' && error === '') return { ...check, status: 'ok', message: 'switched off' };
  if (report.state === 'ok') {
    const message = `${tools} ${tools === 1 ? 'tool' : 'tools'}`;
    if (tools > 0) return { ...check, status: 'ok', message, durationMs };
    const fix = 'Check whether it needs a login, a key or other arguments before it lists any.';
    return { ...check, status: 'warning', message: 'it lists no tools', durationMs, fix };
  }
  const fix = state === 'login_required' ? `Log in: toolcrib login ${server}` : adviceFor(error, server);
  return { ...check, status: 'error', message: error, ...(report.state === 'disabled' ? {} : { durationMs }), fix };
}

/** By what the message says, from the most exact to the least. */
function adviceFor(error: string, server: string): string {
  const advice = [
    [
      /login|log in|401|unauthori[sz]ed/i,
      `Log in with \`toolcrib login ${server}\`, or give it a header under "headers".`,
    ],
    [
      /variable .*not set/i,
      'Set the variable in the environment of the host (or in the "env" of its entry for toolcrib).',
    ],
    [
      /ENOENT|not found|no such file/i,
      "Install the program, or give its absolute path: a host may not know your shell's PATH.",
    ],
    [/EACCES|permission/i, 'Make the program executable, or start it by its interpreter.'],
    [
      /did not answer in time|timed? ?out/i,
      'Raise "connectTimeoutMs" of the server: a first start by npx or uvx fetches a package.',
    ],
    [
      /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|fetch failed|not be reached/i,
      'Check the URL, the network, and that the server runs.',
    ],
    [/exited|ended|closed/i, 'Run its command by hand to see what it says; often a key under "env" is missing.'],
    [/expected /i, 'Mend its entry in the config.'],
  ] as const;
  return advice.find(([pattern]) => pattern.test(error))?.[1] ?? 'Run its command by hand to see what it says.';
}
