/**
 * Checks arguments and results against the JSON Schemas of servers, in the dialect that each declares, and turns what
 * is wrong into hints a field. Bounded in time and size, fetches nothing. The only user of ajv. Imports `model` and
 * `errors`.
 */
export { type ArgumentValidator, createArgumentValidator } from './argument-validator.ts';
export type { ArgumentIssue } from './issues.ts';
export { bodyMaxLevels, readJsonBody } from './json-body.ts';
