import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { messageOf, ToolcribError } from '../errors/index.ts';

export interface PageFile {
  contentType: string;
  body: Uint8Array;
}

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * The files of the page by their path in `folder`, read once: nothing of a request ever names a file of the system. Throws
 * `internal` where the page was not built.
 */
export function readPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  try {
    const names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    return new Map(
      names.map((path) => {
        const contentType = contentTypes[extname(path)] ?? 'application/octet-stream';
        return [path.slice(folder.length + 1).replaceAll('\\', '/'), { contentType, body: readFileSync(path) }];
      }),
    );
  } catch (error) {
    throw new ToolcribError('internal', `The page of the console is not there: ${messageOf(error)}.`, {
      next: 'Run `npm run build`, or reinstall toolcrib.',
      cause: error,
    });
  }
}
