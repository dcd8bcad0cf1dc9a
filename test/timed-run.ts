/** What the long runs, fuzz and soak, share on the command line. */
import { InvalidArgumentError } from 'commander';

export function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('It has to be a number above 0; fractions are accepted.');
  return value;
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
