import {
  type ErrorCode,
  errorCatalog,
  type OutcomeCode,
  outcomeOf,
  outcomes,
  unknownOutcomeNext,
} from '../../src/errors/index.ts';

/** Every page of `docs/errors`, by file name: made of the catalogue of errors alone. */
export function errorPages(): Map<string, string> {
  const codes = Object.keys(outcomes) as OutcomeCode[];
  return new Map([
    ['README.md', overview(codes)],
    ...codes.map((code): [string, string] => [`${code}.md`, page(code)]),
  ]);
}

const made = '<!-- Made by `npm run docs` from src/errors: change the text there. -->';

function overview(codes: readonly OutcomeCode[]): string {
  const rows = codes.map(
    (code) => `| [\`${code}\`](${code}.md) | ${errorCatalog[code].title} | ${ranInWords[outcomes[code].ran]} |`,
  );
  return `${made}

# What can come of a call

A call that does not give the result of its server says why with one of these codes: before its text, and for programs in
\`_meta["dev.toolcrib/error"].code\`. Beside it stand \`server\`, \`mayHaveRun\` and, where an error of toolcrib says more exactly what
went wrong, that as \`reason\`. A result that its server itself marks as an error has no code: it is the server's own.

| code | what it says | did the tool run? |
| --- | --- | --- |
${rows.join('\n')}

Where it is not known whether a tool ran, no text advises to call it again.
`;
}

function page(code: OutcomeCode): string {
  const { means, ran } = outcomes[code];
  const { title, next } = errorCatalog[code];
  const { nextIfUnknown = unknownOutcomeNext } = errorCatalog[code] as { nextIfUnknown?: string };
  const isBoth = ran === 'as said';
  const reasons = reasonsOf(code);
  return `${made}

# \`${code}\`: ${title}

${means}

**Did the tool run?** ${ranInWords[ran]}

**What to do next.** ${next}
${isBoth ? `\nWhere \`mayHaveRun\` is true: ${nextIfUnknown}\n` : ''}${reasons.length === 0 ? '' : `\n## Reasons\n\n\`reason\` tells these apart:\n\n${reasons.join('\n')}\n`}`;
}

const ranInWords = {
  no: 'No.',
  yes: 'Yes.',
  unknown: 'It is not known.',
  'as said': 'The text and `mayHaveRun` say.',
};

/** The errors that are told as this outcome by their own rule. */
function reasonsOf(outcome: OutcomeCode): string[] {
  const codes = Object.keys(errorCatalog) as ErrorCode[];
  const own = codes.filter(
    (code) => code !== outcome && 'outcome' in errorCatalog[code] && outcomeOf(code) === outcome,
  );
  return own.map((code) => `- \`${code}\`: ${errorCatalog[code].title}. ${errorCatalog[code].next}`);
}
