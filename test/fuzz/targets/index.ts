import type { FuzzTarget } from '../target.ts';
import { answersTarget } from './answers.ts';
import { argumentsTarget } from './arguments.ts';
import { configTarget } from './config-text.ts';
import { definitionsTarget } from './definitions.ts';
import { httpTarget } from './http-frames.ts';
import { stdioTarget } from './stdio-frames.ts';

const targets = {
  arguments: argumentsTarget,
  answers: answersTarget,
  definitions: definitionsTarget,
  stdio: stdioTarget,
  http: httpTarget,
  config: configTarget,
};

export const targetNames = Object.keys(targets);

/** Starts what these targets need; each is to be closed. */
export async function openTargets(names: readonly string[]): Promise<FuzzTarget[]> {
  const open = Object.entries(targets).flatMap(([name, make]) => (names.includes(name) ? [make] : []));
  return (await Promise.all(open.map((make) => make()))) as FuzzTarget[];
}
