import { createHash } from 'node:crypto';
import type { ToolId } from './tool.ts';

/** How exposed names are made. Part of the config, so equal for every process of one catalog. */
export interface Naming {
  /** Longest exposed name in characters. Default 64: the limit of model providers. */
  nameMaxLength: number;
  /** `false` drops the `<server id>__` prefix; allowed only with exactly one enabled server. */
  prefix: boolean;
}

export const defaultNaming: Naming = { nameMaxLength: 64, prefix: true };

/** The prefix that toolcrib keeps for tools of its own, such as `toolcrib__read_result`. */
export const reservedServerId = 'toolcrib';

const separator = '__';
const hashLength = 8;

/**
 * The name under which a tool is shown to a model: `<server id>__<raw name>`, only `[A-Za-z0-9_-]`, at most
 * `nameMaxLength` characters. Whenever anything had to be altered or cut, a hash of (server id, raw name) is
 * appended, so the name depends on nothing but the tool itself and two tools never share one.
 */
export function exposedName({ serverId, toolName }: ToolId, naming: Naming = defaultNaming): string {
  const plain = naming.prefix ? `${serverId}${separator}${toolName}` : toolName;
  if (isUnaltered(serverId, toolName, plain, naming)) return plain;
  const hash = createHash('sha256')
    .update(JSON.stringify([serverId, toolName]))
    .digest('hex')
    .slice(0, hashLength);
  const safe = naming.prefix ? `${cleanServerId(serverId)}${separator}${clean(toolName)}` : clean(toolName);
  const name = withHash(safe, hash, naming);
  return isReserved(name) ? withHash(`_${safe}`, hash, naming) : name;
}

function withHash(safe: string, hash: string, { nameMaxLength }: Naming): string {
  return `${safe.slice(0, Math.max(0, nameMaxLength - hash.length - 1))}_${hash}`;
}

function isUnaltered(serverId: string, toolName: string, plain: string, naming: Naming): boolean {
  if (toolName === '' || plain.length > naming.nameMaxLength || clean(plain) !== plain) return false;
  if (looksHashed(plain) || isReserved(plain)) return false;
  return !naming.prefix || cleanServerId(serverId) === serverId;
}

const hashedEnd = new RegExp(`_[0-9a-f]{${hashLength}}$`);

/** A name that already ends like a hashed one is hashed as well, or it could be what another tool was cut to. */
function looksHashed(name: string): boolean {
  return hashedEnd.test(name);
}

function isReserved(name: string): boolean {
  return name.startsWith(`${reservedServerId}${separator}`);
}

function clean(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/gu, '_');
}

/** `a__b` + `c` and `a` + `b__c` must differ, so an id neither holds nor ends in the separator. */
function cleanServerId(serverId: string): string {
  return clean(serverId).replace(/_{2,}/g, '_').replace(/_$/, '');
}
