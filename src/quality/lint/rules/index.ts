import type { LintRule } from '../rule.ts';
import { ambientRules } from './ambient-arguments.ts';
import { descriptionRules } from './descriptions.ts';
import { effectRules } from './effects.ts';
import { nameRules } from './names.ts';
import { parameterRules } from './parameters.ts';
import { schemaRules } from './schemas.ts';
import { unitRules } from './units.ts';

/** Every rule, in the order in which a tool's findings are told. */
export const lintRules: readonly LintRule[] = [
  ...nameRules,
  ...descriptionRules,
  ...parameterRules,
  ...ambientRules,
  ...unitRules,
  ...effectRules,
  ...schemaRules,
];
