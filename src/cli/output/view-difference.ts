import pico from 'picocolors';
import type { ViewDifference } from '../../model/index.ts';
import { formatCount, plural } from '../../render/index.ts';
import type { TextOutput } from '../io.ts';
import { showUnseen } from './plain-text.ts';
import { changeLines } from './review.ts';

/** Two catalogs, tool by tool and field by field, with nothing cut and unseen characters shown; then the tokens. */
export function formatViewDifference({ added, removed, changed, tokens }: ViewDifference, output: TextOutput): string {
  const colors = pico.createColors(output.color);
  const counts = `${plural(added.length, 'tool')} added, ${formatCount(removed.length)} removed, ${formatCount(changed.length)} changed; ${formatCount(tokens.before)} tokens before, ${formatCount(tokens.after)} after`;
  return [
    ...removed.map((name) => colors.red(`- ${showUnseen(name)}`)),
    ...added.map((name) => colors.green(`+ ${showUnseen(name)}`)),
    ...changed.flatMap(({ name, changes }) => [
      `~ ${showUnseen(name)}`,
      ...changes.flatMap((change) => changeLines(change, colors)),
    ]),
    counts,
  ]
    .map((line) => `${line}\n`)
    .join('');
}
