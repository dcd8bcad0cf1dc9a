import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { ConfigProblem, JsonPath } from './problem.ts';
import { type ConfigSource, problemAt } from './source.ts';

/** One slip makes the parser stumble many times: more than these teach nothing. */
const syntaxProblemsMax = 20;

/**
 * Parses JSON with comments and trailing commas, and keeps the place of every value. Syntax problems come back as
 * errors, keys given twice in one object or not usable as warnings.
 */
export function parseJsonc(path: string, text: string): { source: ConfigSource; problems: ConfigProblem[] } {
  const content = text.replace(/^\uFEFF/, '');
  const errors: ParseError[] = [];
  const root = parseTree(content, errors, { allowTrailingComma: true });
  const lines = lineStarts(content);
  const source: ConfigSource = {
    path,
    value: root === undefined ? undefined : getNodeValue(root),
    locate: (jsonPath) => lineAndColumn(lines, nearestNode(root, jsonPath)?.offset ?? 0),
  };
  const syntax = errors.slice(0, syntaxProblemsMax).map((error) => ({
    severity: 'error' as const,
    path,
    ...lineAndColumn(lines, error.offset),
    jsonPath: '',
    message: syntaxMessages[printParseErrorCode(error.error)] ?? 'not valid JSON',
  }));
  const warnings = root === undefined ? [] : keyWarnings(root, source);
  return { source, problems: [...syntax, ...warnings] };
}

const syntaxMessages: Record<string, string> = {
  InvalidSymbol: 'expected a JSON value, got an unknown word',
  InvalidNumberFormat: 'expected a number, got something that is not one',
  PropertyNameExpected: 'expected a key in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected ":" after the key',
  CommaExpected: 'expected "," between two entries',
  CloseBraceExpected: 'expected "}"',
  CloseBracketExpected: 'expected "]"',
  EndOfFileExpected: 'expected the end of the file',
  UnexpectedEndOfComment: 'expected "*/" at the end of the comment',
  UnexpectedEndOfString: 'expected a closing double quote',
  UnexpectedEndOfNumber: 'expected a digit',
  InvalidUnicode: 'expected four hexadecimal digits after "\\u"',
  InvalidEscapeCharacter: 'expected a valid escape after "\\" (a Windows path needs "\\\\")',
  InvalidCharacter: 'expected no control character inside a text',
};

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function lineAndColumn(starts: readonly number[], offset: number): { line: number; column: number } {
  const line = starts.findLastIndex((start) => start <= offset);
  return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
}

/** A missing value has no node: its nearest ancestor is where the reader has to add it. */
function nearestNode(root: Node | undefined, path: JsonPath): Node | undefined {
  let node = root;
  for (const key of path) {
    const child = childOf(node, key);
    if (child === undefined) return node;
    node = child;
  }
  return node;
}

/** The last of two equal keys, as in the value. */
function childOf(node: Node | undefined, key: string | number): Node | undefined {
  if (typeof key === 'number') return node?.type === 'array' ? node.children?.[key] : undefined;
  if (node?.type !== 'object') return undefined;
  return node.children?.findLast((property) => property.children?.[0]?.value === key)?.children?.[1];
}

function keyWarnings(node: Node, source: ConfigSource, path: JsonPath = []): ConfigProblem[] {
  if (node.type === 'array') {
    return (node.children ?? []).flatMap((child, index) => keyWarnings(child, source, [...path, index]));
  }
  if (node.type !== 'object') return [];
  const seen = new Set<string>();
  return (node.children ?? []).flatMap((property) => {
    const [keyNode, valueNode] = property.children ?? [];
    const key = String(keyNode?.value);
    const keyPath = [...path, key];
    const nested = valueNode === undefined ? [] : keyWarnings(valueNode, source, keyPath);
    const isRepeated = seen.has(key);
    seen.add(key);
    const message = keyProblem(key, isRepeated);
    return message === undefined ? nested : [problemAt(source, keyPath, { severity: 'warning', message }), ...nested];
  });
}

/** JavaScript gives one key a meaning of its own: nothing can be stored under it. */
function keyProblem(key: string, isRepeated: boolean): string | undefined {
  if (key === '__proto__') return '"__proto__" cannot be a key; it is ignored: choose another name';
  return isRepeated ? `${JSON.stringify(key)} is given twice; this, the later one, counts` : undefined;
}
