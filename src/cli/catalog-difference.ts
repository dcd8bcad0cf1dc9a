import { closeSync, openSync, readSync } from 'node:fs';
import { messageOf, ToolcribError } from '../errors/index.ts';
import type { ViewDifference } from '../model/index.ts';
import { type CommonOptions, openOptions } from './common-options.ts';
import type { CliIo } from './io.ts';
import { readJsonFile } from './text-file.ts';

/**
 * What a model would see differently of two catalogs, in direct mode. Each file is a catalog, read by the config that is named, or an
 * export of one. Throws `file_unusable`, `invalid_arguments`, and what opening a catalog throws.
 */
export async function compareCatalogs(
  io: CliIo,
  before: string,
  after: string,
  options: CommonOptions,
): Promise<ViewDifference> {
  return io.app.compareViews(await viewOf(io, before, options), await viewOf(io, after, options));
}

async function viewOf(io: CliIo, file: string, options: CommonOptions): Promise<unknown> {
  if (!isCatalog(file)) return readJsonFile(file, 'is neither a catalog nor JSON');
  const toolcrib = await io.app.open({ ...openOptions(options), catalogPath: file });
  try {
    return await toolcrib.quality().exportView({ mode: 'direct' });
  } finally {
    await toolcrib.close();
  }
}

/** How every SQLite file begins. */
const sqliteMark = 'SQLite format 3\0';

/** Opening a file that is not there would make an empty catalog. */
function isCatalog(path: string): boolean {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    throw new ToolcribError('file_unusable', `${path} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
  try {
    const start = Buffer.alloc(sqliteMark.length);
    readSync(file, start, 0, start.length, 0);
    return start.toString('latin1') === sqliteMark;
  } catch (error) {
    throw new ToolcribError('file_unusable', `${path} cannot be read: ${messageOf(error)}.`, { cause: error });
  } finally {
    closeSync(file);
  }
}
