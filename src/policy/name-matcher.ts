import picomatch from 'picomatch';

/** Names are no paths: `*` also matches `/` and a leading dot. No globs match everything. */
export function nameMatcher(globs: readonly string[] | undefined): (name: string) => boolean {
  if (globs === undefined) return () => true;
  const matches = picomatch(globs.map(withoutSlash), { dot: true });
  return (name) => matches(withoutSlash(name)) || matches(withoutDots(withoutSlash(name)));
}

function withoutSlash(text: string): string {
  return text.replaceAll('/', '\u0001');
}

/** A glob takes these for folders, which `*` does not match: a tool may be called so. */
function withoutDots(name: string): string {
  return name === '.' || name === '..' ? '\u0002' : name;
}
