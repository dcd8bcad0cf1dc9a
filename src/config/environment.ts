/** The environment of this process; nothing outside of this folder reads it. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

const safeNamesPosix = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];
const safeNamesWindows = [
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
];

/**
 * The part of an environment that every stdio server may have: where programs and the user's files are, and nothing
 * that could be a credential. What else a server needs is named in its `env`.
 */
export function baseEnvironment(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const isSafe = (name: string) => isBaseVariable(name, platform);
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => isSafe(entry[0]) && isPlain(entry[1])),
  );
}

/** True for a variable that every server gets, and that therefore is no secret. Windows ignores case in names. */
export function isBaseVariable(name: string, platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' ? safeNamesWindows.includes(name.toUpperCase()) : safeNamesPosix.includes(name);
}

/** Old shells export functions as `() { … }`: code, not a value. */
function isPlain(value: string | undefined): value is string {
  return value !== undefined && !value.startsWith('()');
}
