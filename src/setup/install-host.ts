import { editJsonc, parseJsonc, type UserPlaces } from '../config/index.ts';
import { ToolcribError } from '../errors/index.ts';
import { isJsonObject } from '../model/index.ts';
import { inputVariable, isToolcribEntry } from './adopt-server.ts';
import { changeFile, contentBefore, type FileChange, forgetChange, restoreFile } from './file-change.ts';
import { type HostConfig, type HostServer, parseHostConfig, readBytes, readHostConfig } from './host-config.ts';
import { type HostFile, type HostId, hostFileAt, profileOf, projectFile, userFile } from './hosts.ts';
import { type OwnConfig, readOwnConfig } from './own-config.ts';

export interface InstallOptions {
  file: FileOfHost;
  /** The config that toolcrib will be started with; absolute. */
  configPath: string;
  /** What starts toolcrib. */
  program: { command: string; args: string[] };
  /** Replaces servers also where the config does not have them. */
  mayDrop?: boolean;
}

export type FileOfHost = HostFile & { host: HostId };

export interface InstallReport extends FileChange {
  host: HostId;
  /** Ids of the servers that the entry took the place of. */
  replaced: string[];
  /** The config that the entry names. */
  config: string;
  /** Set when the config got a shorter `nameMaxLength` for this host. */
  nameMaxLength?: number;
}

/** The id of the entry. Hosts put `mcp__toolcrib__` before each name: of 64 characters, 49 are then left. */
const entryId = 'toolcrib';
const prefixedNameMaxLength = 49;

/** The file of a host that is meant: the one named, that of the project in the current folder, or that of the user. */
export function installFile(host: HostId, path: string | undefined, places: UserPlaces): FileOfHost {
  if (path !== undefined) return { ...hostFileAt(path, places), host };
  const ofProject = projectFile(host, places.currentFolder, places);
  const isThere = ofProject !== undefined && readBytes(ofProject.path) !== undefined;
  return { ...(isThere ? ofProject : userFile(host, places)), host };
}

/**
 * Puts one entry in place of the servers of a host. A second time it takes the place of the first, and the backup stays what was
 * there before toolcrib. Throws `servers_not_imported`, `usage_invalid`, `file_changed`, `host_file_unusable`.
 */
export function installHost(options: InstallOptions, places: UserPlaces): InstallReport {
  const { file, configPath } = options;
  if (file.path === configPath) throw isOwnConfig(file.path);
  const own = readOwnConfig(configPath, places);
  const now = readBytes(file.path);
  const before = beforeToolcrib(file, now, places);
  const config = before.bytes && parseHostConfig(file, before.bytes, places);
  const replaced = (config?.servers ?? []).filter(isReplaced).map(({ id }) => id);
  const unknown = replaced.filter((id) => !Object.hasOwn(own.servers, id));
  if (unknown.length > 0 && !options.mayDrop) throw notImported(file.path, configPath, unknown);
  if (own.bytes === undefined) throw noConfig(configPath);
  const value = { [entryId]: entryFor(options, config, own) };
  const text = editJsonc(config?.text ?? '', [{ path: [profileOf(file.host).listKey], value }]);
  const change = changeFile(file.path, { now, before, text }, places);
  return { ...change, host: file.host, replaced, config: configPath, ...shortenNames(file, own, places) };
}

/**
 * Puts the exact former bytes back. With `keepChanges`, of a file that was changed since, only the list of servers. Throws
 * `nothing_to_restore`, `file_changed`, `host_file_unusable`.
 */
export function uninstallHost(file: FileOfHost, keepChanges: boolean, places: UserPlaces): FileChange {
  const before = contentBefore(file.path, places);
  const now = readHostConfig(file, places);
  if (!keepChanges || before === undefined || before.isStillOurs || now === undefined) {
    return restoreFile(file.path, places);
  }
  const former = before.bytes && parseHostConfig(file, before.bytes, places);
  const kept = [...(former?.servers ?? []).filter(isTopLevel), ...now.servers.filter(isReplaced)];
  const value = kept.length === 0 ? undefined : Object.fromEntries(kept.map(({ id, entry }) => [id, entry]));
  const text = editJsonc(now.text, [{ path: [profileOf(file.host).listKey], value }]);
  const { path } = changeFile(file.path, { now: now.bytes, text }, places);
  forgetChange(file.path, places);
  return { path };
}

/** A file that is as toolcrib wrote it counts as what it was before. */
function beforeToolcrib(file: FileOfHost, now: Buffer | undefined, places: UserPlaces): { bytes?: Buffer } {
  const earlier = contentBefore(file.path, places);
  if (earlier?.isStillOurs) return earlier;
  const isInstalled = now !== undefined && parseHostConfig(file, now, places).servers.some(isToolcribEntry);
  if (earlier !== undefined && isInstalled) {
    throw new ToolcribError('file_changed', `${file.path} starts toolcrib already, and was changed since.`, {
      next: `Put its servers back first: toolcrib uninstall ${file.host} --keep-changes.`,
    });
  }
  return now === undefined ? {} : { bytes: now };
}

function isReplaced(server: HostServer): boolean {
  return isTopLevel(server) && !isToolcribEntry(server);
}

/** Lists of single folders stay as they are. */
function isTopLevel({ list }: HostServer): boolean {
  return list.length === 1;
}

function entryFor(options: InstallOptions, host: HostConfig | undefined, own: OwnConfig): Record<string, unknown> {
  const { file, program, configPath } = options;
  // What the editor asks its user for reaches toolcrib, and through it the server, as an environment variable.
  const inputs = (host?.inputs ?? []).filter((input) => own.text.includes(`\${${inputVariable(input)}`));
  const env = Object.fromEntries(inputs.map((input) => [inputVariable(input), `\${input:${input}}`]));
  return {
    ...profileOf(file.host).entryExtras,
    command: program.command,
    args: [...program.args, 'serve', '--config', configPath],
    ...(inputs.length === 0 ? {} : { env }),
  };
}

function shortenNames({ host }: FileOfHost, own: OwnConfig, places: UserPlaces): { nameMaxLength?: number } {
  const root = parseJsonc(own.path, own.text).source.value;
  const current = isJsonObject(root) ? root.nameMaxLength : undefined;
  const isShort = typeof current === 'number' && current <= prefixedNameMaxLength;
  if (!profileOf(host).prefixesNames || isShort) return {};
  const text = editJsonc(own.text, [{ path: ['nameMaxLength'], value: prefixedNameMaxLength }]);
  // One backup a file: that of an import goes on being the one that is put back.
  const earlier = contentBefore(own.path, places);
  changeFile(own.path, { now: own.bytes, text, ...(earlier?.isStillOurs ? { before: earlier } : {}) }, places);
  return { nameMaxLength: prefixedNameMaxLength };
}

function noConfig(path: string): ToolcribError {
  return new ToolcribError('config_not_found', `There is no file ${path}.`, {
    next: 'Write one with `toolcrib init`, or take over the servers of a host with `toolcrib import`.',
  });
}

function isOwnConfig(path: string): ToolcribError {
  return new ToolcribError(
    'usage_invalid',
    `${path} is the file of the host: it cannot be toolcrib's config as well.`,
    {
      next: 'Import its servers into a config of toolcrib first: toolcrib import FILE.',
    },
  );
}

function notImported(path: string, configPath: string, ids: readonly string[]): ToolcribError {
  const message = `${path} has servers that ${configPath} does not have: ${ids.join(', ')}.`;
  return new ToolcribError('servers_not_imported', message, {
    next: `Take them over with \`toolcrib import ${path}\`, or give up on them with --drop.`,
    details: { servers: ids },
  });
}
