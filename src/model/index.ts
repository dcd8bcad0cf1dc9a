/**
 * The nouns of toolcrib and the ports between its folders. Imports nothing of the project and no library.
 */
export { abortable } from './abortable.ts';
export type * from './audit.ts';
export { boundedText } from './bounded-text.ts';
export type * from './call.ts';
export type * from './call-limits.ts';
export type * from './caller.ts';
export type * from './elicitation.ts';
export { defaultNaming, exposedName, type Naming, reservedServerId } from './exposed-name.ts';
export type * from './finding.ts';
export type * from './input.ts';
export { isJsonObject, isNestedDeeper, type JsonObject, type JsonValue } from './json.ts';
export type * from './login.ts';
export type * from './operation.ts';
export { builtFile, packageFile } from './package-file.ts';
export type * from './policy.ts';
export type * from './ports.ts';
export type * from './quality.ts';
export type * from './reports.ts';
export type * from './search.ts';
export type * from './server.ts';
export { steadyNow } from './steady-clock.ts';
export type * from './tool.ts';
export type * from './toolcrib.ts';
export type * from './trust.ts';
