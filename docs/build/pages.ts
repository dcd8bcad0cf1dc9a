import { cliPage } from './cli-page.ts';
import { configPage } from './config-page.ts';
import { configJsonSchema } from './config-schema.ts';
import { errorPages } from './error-pages.ts';

/** The folder whose every file is made. */
export const errorsFolder = 'docs/errors/';

/** Every file that is made of the sources, by its path from the root of the repository. */
export function madeFiles(): Map<string, string> {
  const schema = configJsonSchema();
  return new Map([
    ['config.schema.json', `${JSON.stringify(schema, null, 2)}\n`],
    ['docs/config.md', configPage(schema)],
    ['docs/cli.md', cliPage()],
    ...[...errorPages()].map(([name, text]): [string, string] => [`${errorsFolder}${name}`, text]),
  ]);
}
