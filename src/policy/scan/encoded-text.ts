/** Shorter runs are ids and hashes. */
const minRun = 24;
const base64Run = new RegExp(`[A-Za-z0-9+/_-]{${minRun},}={0,2}`, 'g');
const hexRun = /(?:[0-9a-f]{2}){12,}/gi;
const percentRun = /(?:%[0-9a-f]{2}){3,}[^\s]*/gi;
const escapeRun = /(?:\\u[0-9a-f]{4}|\\x[0-9a-f]{2}){6,}/gi;
const maxRuns = 50;

/** Texts that are hidden in a text by an encoding, decoded. Runs that decode to anything but plain words are left out. */
export function encodedTexts(text: string): string[] {
  return [
    ...runs(text, base64Run).map((run) => Buffer.from(run, 'base64').toString('utf8')),
    ...runs(text, hexRun).map((run) => Buffer.from(run, 'hex').toString('utf8')),
    ...runs(text, percentRun).map(decodePercent),
    ...runs(text, escapeRun).map((run) =>
      run.replace(/\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/gi, (_, long: string, short: string) =>
        String.fromCharCode(Number.parseInt(long ?? short, 16)),
      ),
    ),
  ].filter(isWords);
}

function runs(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].slice(0, maxRuns).map(([run]) => run);
}

function decodePercent(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return '';
  }
}

/** Several words and hardly anything but letters: what random bytes practically never decode to. */
function isWords(text: string): boolean {
  const letters = text.match(/[\p{L}\s.,'!?/~_-]/gu)?.length ?? 0;
  return /\p{L}{2}\s\p{L}{2}/u.test(text) && letters / text.length > 0.9;
}
