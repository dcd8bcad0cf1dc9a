import { describe, expect, it } from 'vitest';
import type { JsonObject, LintFinding } from '../../../src/model/index.ts';
import { lintCatalog } from '../../../src/quality/index.ts';
import { filledCatalog } from '../../search/fixture.ts';
import { goodTool, object, parameter } from '../definitions.ts';

interface Case {
  rule: string;
  bad: JsonObject;
  /** `level field`, as found. */
  found: string;
  message?: RegExp;
  /** Much like the bad ones, and in order by this rule. */
  good: JsonObject[];
}

const writes = { annotations: { readOnlyHint: false } };
const topic = parameter('string', 'What it is about.');

const cases: Case[] = [
  {
    rule: 'vague_name',
    bad: goodTool('execute'),
    found: 'warning name',
    good: [goodTool('execute_sql'), goodTool('shop_run_tests'), goodTool('query')],
  },
  {
    rule: 'vague_name',
    bad: goodTool('manage_users'),
    found: 'warning name',
    message: /"manage" may mean/,
    good: [goodTool('create_manager')],
  },
  {
    rule: 'vague_name',
    bad: goodTool('shop_process_data'),
    found: 'warning name',
    good: [goodTool('get_process_data')],
  },
  { rule: 'long_name', bad: goodTool('x'.repeat(65)), found: 'error name', good: [goodTool('x'.repeat(58))] },
  { rule: 'long_name', bad: goodTool('x'.repeat(60)), found: 'warning name', message: /66 characters/, good: [] },
  { rule: 'odd_name', bad: goodTool('files/read me'), found: 'warning name', good: [goodTool('files-read_me2')] },
  {
    rule: 'missing_description',
    bad: goodTool('get_weather', { description: '  ' }),
    found: 'error description',
    good: [goodTool('get_weather', { description: 'Weather.' })],
  },
  {
    rule: 'thin_description',
    bad: goodTool('createInvoices', { description: 'Create a new invoice' }),
    found: 'info description',
    good: [goodTool('create_invoice', { description: 'Create an invoice and mail it to the customer' })],
  },
  {
    rule: 'no_effects',
    bad: goodTool('delete_repository', { description: 'Takes a repository away.', ...writes }),
    found: 'warning description',
    good: [
      goodTool('delete_repository', { description: 'Deletes a repository. This cannot be undone.', ...writes }),
      goodTool('remove_label_from_issue', { description: 'Takes the label off.', ...writes }),
      goodTool('delete_cached_view', { description: 'Takes it away.', annotations: { readOnlyHint: true } }),
      goodTool('list_deleted_items', { description: 'What was there.', ...writes }),
    ],
  },
  {
    rule: 'no_effects',
    bad: goodTool('update_note', { description: 'Changes a note.', ...writes }),
    found: 'info description',
    good: [
      goodTool('update_note', { description: 'Changes a note; what is not given stays unchanged.', ...writes }),
      goodTool('archive_project_update', { description: 'Puts it away.', ...writes }),
    ],
  },
  {
    rule: 'undocumented_parameter',
    bad: goodTool('get_a', { inputSchema: object({ id: { type: 'string' }, topic }, ['id']) }),
    found: 'warning parameters.id',
    message: /^1 of 2 have none: id\.$/,
    good: [
      goodTool('get_a', {
        inputSchema: object({
          state: { enum: ['open', 'closed'] },
          isNew: { type: 'boolean' },
          filter: object({ topic }),
          ids: { type: 'array', items: parameter('string', 'Ids of notes.') },
        }),
      }),
    ],
  },
  {
    rule: 'undocumented_parameter',
    bad: goodTool('get_a', { inputSchema: object({ id: { type: 'string' } }) }),
    found: 'info parameters.id',
    good: [],
  },
  {
    rule: 'free_form_parameter',
    bad: goodTool('get_a', { inputSchema: object({ body: parameter('object', 'All of it.') }, ['body']) }),
    found: 'warning parameters.body',
    message: /members are not told/,
    good: [
      goodTool('get_a', { inputSchema: object({ body: { ...object({ topic }), description: 'All.' } }, ['body']) }),
      goodTool('get_a', {
        inputSchema: object({
          labels: parameter('object', 'Key and value.', { additionalProperties: { type: 'string' } }),
        }),
      }),
    ],
  },
  {
    rule: 'free_form_parameter',
    bad: goodTool('get_a', {
      inputSchema: object({ options: parameter('string', 'Options as a JSON string.') }, ['options']),
    }),
    found: 'warning parameters.options',
    good: [goodTool('get_a', { inputSchema: object({ path: parameter('string', 'The path of a file.') }) })],
  },
  {
    rule: 'free_form_parameter',
    bad: goodTool('get_a', { inputSchema: object({ outer: object({ items: parameter('array', 'Which ones.') }) }) }),
    found: 'info parameters.outer.items',
    good: [
      goodTool('get_a', { inputSchema: object({ ids: parameter('array', 'Ids.', { items: { type: 'string' } }) }) }),
    ],
  },
  {
    rule: 'missing_required',
    bad: goodTool('get_a', { inputSchema: object({ port: parameter('string', 'Port of the server (required).') }) }),
    found: 'warning parameters.port',
    good: [
      goodTool('get_a', { inputSchema: object({ port: parameter('string', 'For start: the port (required).') }) }),
      goodTool('get_a', { inputSchema: object({ port: parameter('string', 'The port (required).') }, ['port']) }),
    ],
  },
  {
    rule: 'missing_required',
    bad: goodTool('delete_note', { inputSchema: object({ noteId: parameter('string', 'Which one.') }) }),
    found: 'warning parameters.noteId',
    good: [
      goodTool('delete_note', {
        inputSchema: object({
          noteId: parameter('string', 'Which one.'),
          title: parameter('string', 'Either this or noteId.'),
        }),
      }),
      goodTool('list_notes', { inputSchema: object({ noteId: parameter('string', 'Only this one.') }) }),
    ],
  },
  {
    rule: 'missing_required',
    bad: goodTool('get_a', { inputSchema: object({ topic }, ['subject']) }),
    found: 'error inputSchema',
    message: /no parameter: subject/,
    good: [
      goodTool('get_a', { inputSchema: { ...object({ topic }, ['subject']), anyOf: [object({ subject: topic })] } }),
    ],
  },
  {
    rule: 'credential_argument',
    bad: goodTool('get_a', { inputSchema: object({ apiKey: parameter('string', 'The key of your account.') }) }),
    found: 'warning parameters.apiKey',
    good: [
      goodTool('get_a', {
        inputSchema: object({
          pageToken: parameter('string', 'Goes on.'),
          max_tokens: parameter('integer', 'Length in tokens.'),
          isSecret: parameter('boolean', 'Hides it.'),
        }),
      }),
      goodTool('revoke_token', { inputSchema: object({ token: parameter('string', 'Which one.') }) }),
      goodTool('create_user', { inputSchema: object({ password: parameter('string', 'Of that user.') }) }),
    ],
  },
  {
    rule: 'ambient_argument',
    bad: goodTool('get_a', { inputSchema: object({ tenantId: parameter('string', 'The tenant.') }, ['tenantId']) }),
    found: 'warning parameters.tenantId',
    good: [
      goodTool('get_a', { inputSchema: object({ userId: parameter('string', 'Whose profile to show.') }, ['userId']) }),
    ],
  },
  {
    rule: 'ambient_argument',
    bad: goodTool('get_a', {
      inputSchema: object({ user_email: parameter('string', 'E-mail of the authenticated user.') }, ['user_email']),
    }),
    found: 'warning parameters.user_email',
    good: [],
  },
  {
    rule: 'number_without_unit',
    bad: goodTool('get_a', { inputSchema: object({ timeout: parameter('integer', 'How long to wait.') }) }),
    found: 'warning parameters.timeout',
    good: [
      goodTool('get_a', {
        inputSchema: object({
          timeoutMs: parameter('integer', 'How long.'),
          delay: parameter('number', 'In seconds.'),
          page_size: parameter('integer', 'How many.'),
          duration: parameter('string', 'Such as PT5M.'),
        }),
      }),
    ],
  },
  {
    rule: 'no_operation_key',
    bad: goodTool('create_payment', writes),
    found: 'info inputSchema',
    good: [
      goodTool('create_payment', { annotations: { idempotentHint: true } }),
      goodTool('create_payment', {
        inputSchema: object({ idempotencyKey: parameter('string', 'Repeats are answered alike.') }),
        ...writes,
      }),
      goodTool('get_payment', writes),
    ],
  },
  {
    rule: 'no_annotations',
    bad: goodTool('get_a', { annotations: { title: 'A' } }),
    found: 'info annotations',
    good: [goodTool('get_a', { annotations: { readOnlyHint: true } })],
  },
  {
    rule: 'annotation_contradicts',
    bad: goodTool('delete_account', { annotations: { readOnlyHint: true } }),
    found: 'error annotations',
    good: [
      goodTool('get_deleted_account', { annotations: { readOnlyHint: true } }),
      goodTool('mark_as_read', { annotations: { readOnlyHint: false } }),
    ],
  },
  {
    rule: 'annotation_contradicts',
    bad: goodTool('purge_logs', { annotations: { destructiveHint: false } }),
    found: 'error annotations',
    good: [goodTool('purge_logs', { annotations: { destructiveHint: true } })],
  },
  {
    rule: 'annotation_contradicts',
    bad: goodTool('list_logs', { annotations: { readOnlyHint: false } }),
    found: 'info annotations',
    good: [goodTool('find_and_replace', { annotations: { readOnlyHint: false } })],
  },
  {
    rule: 'huge_definition',
    bad: goodTool('get_a', { description: 'Many words that say little. '.repeat(400) }),
    found: 'warning inputSchema',
    message: /takes 2,\d\d\d tokens/,
    good: [goodTool('get_a', { description: 'Many words that say little. '.repeat(40) })],
  },
  {
    rule: 'broken_definition',
    bad: goodTool('get_a', { inputSchema: { properties: { topic } } }),
    found: 'error inputSchema',
    good: [goodTool('get_a')],
  },
];

const dialectFaults: [fault: string, property: JsonObject][] = [
  ['nullable', parameter('string', 'A.', { nullable: true })],
  ['exclusive', parameter('number', 'A.', { minimum: 0, exclusiveMinimum: true })],
  ['required', parameter('string', 'A.', { required: true })],
  ['type', parameter('int', 'A.')],
  ['tuple', parameter('array', 'A.', { items: [{ type: 'string' }] })],
  ['ref', { $ref: '#/$defs/nowhere' }],
  ['remote ref', { $ref: 'https://example.com/schema.json' }],
  ['members', { id: { type: 'string' }, name: { type: 'string' } }],
  ['pattern', parameter('string', 'A.', { pattern: '(?i)a' })],
];

describe('lint rules', () => {
  it.each(cases)('$rule: $bad.name', async ({ rule, bad, found, message, good }) => {
    const [finding, ...more] = (await lint(bad)).filter((one) => one.rule === rule);
    expect(more).toEqual([]);
    expect(`${finding?.level} ${finding?.field}`).toBe(found);
    if (message !== undefined) expect(finding?.message).toMatch(message);
    for (const tool of good) expect((await lint(tool)).filter((one) => one.rule === rule)).toEqual([]);
  });

  it.each(dialectFaults)('schema_dialect: %s', async (_, property) => {
    const found = (
      await lint(goodTool('get_a', { inputSchema: object({ outer: object({ inner: property }) }) }))
    ).filter(({ rule }) => rule === 'schema_dialect');
    expect(found.map(({ field }) => field)).toEqual(['parameters.outer.inner']);
  });

  it('schema_dialect: a dialect that nobody knows, and alternatives at the top', async () => {
    const inputSchema = {
      $schema: 'http://json-schema.org/draft-04/schema#',
      ...object({ topic }),
      oneOf: [{ required: ['topic'] }],
    };
    const found = (await lint(goodTool('get_a', { inputSchema }))).filter(({ rule }) => rule === 'schema_dialect');
    expect(found.map(({ field }) => field)).toEqual(['inputSchema', 'inputSchema']);
  });

  it('has nothing to say about a definition in order', async () => {
    expect(await lint(goodTool('get_weather'))).toEqual([]);
  });

  it('tells descriptions that were copied within a server, and tools that could be taken for one another', async () => {
    const description = 'Shows the notes of a folder.';
    const findings = await lint(
      goodTool('list_notes', { description }),
      goodTool('search_notes', { description }),
      goodTool('create_note', { description: 'Writes a note.' }),
    );
    expect(findings.filter(({ rule }) => rule === 'copied_description').map(({ tool }) => tool)).toEqual([
      'list_notes',
      'search_notes',
    ]);
    expect(
      findings.filter(({ rule }) => rule === 'no_when_not').map(({ tool, message }) => `${tool}: ${message}`),
    ).toEqual([
      'list_notes: It could be taken for search_notes, and does not say when to use which.',
      'search_notes: It could be taken for list_notes, and does not say when to use which.',
    ]);
  });

  it('takes an account that most tools of a server demand for one that it should know', async () => {
    const inputSchema = object({ account: parameter('string', 'The account.') }, ['account']);
    const asking = ['get_a', 'get_b', 'get_c', 'get_d'].map((name) => goodTool(name, { inputSchema }));
    const found = async (...tools: JsonObject[]) =>
      (await lint(...tools)).filter(({ rule }) => rule === 'ambient_argument').length;
    expect(await found(...asking, goodTool('get_e'))).toBe(4);
    expect(await found(...asking.slice(1), goodTool('get_e'))).toBe(0);
  });
});

async function lint(...tools: JsonObject[]): Promise<LintFinding[]> {
  const catalog = filledCatalog({ shop: tools });
  try {
    return (await lintCatalog(catalog, { nameMaxLength: 64 })).findings;
  } finally {
    catalog.close();
  }
}
