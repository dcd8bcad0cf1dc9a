import type { DefinitionPolicy } from '../model/index.ts';
import { nameSkeleton, shadowingFinding } from './scan/look-alike-names.ts';
import { scanDefinition, scanInSteps } from './scan/scan-definition.ts';
import { changeReason, firstSightReason } from './trust/hold-reason.ts';

/** Changed by hand with every change of a rule: what is stored of scans is made anew then. */
const rulesVersion = 'definition-rules/2';

/** The rules of definitions, as the catalog takes them. */
export const definitionPolicy: DefinitionPolicy = {
  id: rulesVersion,
  scan: (definition) => scanDefinition(definition),
  scanInSteps: (definition) => scanInSteps(definition),
  firstSightReason,
  changeReason,
  skeleton: nameSkeleton,
  shadowing: shadowingFinding,
};
