// Lets the conformance suite start on Node 20: it imports `fs.globSync`, which came with Node 22, for commands that are
// not used here.
import { register } from 'node:module';

const hooks = `
const shim = 'toolcrib:fs-with-glob';
export async function resolve(specifier, context, next) {
  const isSuite = context.parentURL?.includes('/@modelcontextprotocol/conformance/');
  return isSuite && /^(node:)?fs$/.test(specifier) ? { url: shim, shortCircuit: true } : next(specifier, context);
}
export async function load(url, context, next) {
  if (url !== shim) return next(url, context);
  const source = "export * from 'node:fs'; export const globSync = () => { throw new Error('needs Node 22'); };";
  return { format: 'module', shortCircuit: true, source };
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
