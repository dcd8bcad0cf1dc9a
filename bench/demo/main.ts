/**
 * The main job, on real servers: list, index, search, describe, call, restart. Exits non-zero when a step fails.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CallToolResult, createToolcrib, type Toolcrib } from 'toolcrib';
import { demoServers } from './servers.ts';

const folder = await mkdtemp(join(tmpdir(), 'toolcrib-demo-'));
const configPath = join(folder, 'toolcrib.json');
const catalogPath = join(folder, 'catalog.sqlite');
const greeting = 'Handed out over the counter.';

try {
  await writeFile(configPath, JSON.stringify({ mcpServers: demoServers(folder) }, null, 2));
  await runFirstTime();
  await searchAfterRestart();
  say('\nEvery step worked.');
} catch (error) {
  process.stderr.write(`\nThe demo failed: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function runFirstTime(): Promise<void> {
  const crib = createToolcrib({ configPath, catalog: catalogPath });
  try {
    await listServers(crib);
    await compareTokens(crib);
    await searchInPlainWords(crib);
    await describeBest(crib);
    await writeAndReadFile(crib);
    await explainWrongArgument(crib);
  } finally {
    await crib.close();
  }
}

async function listServers(crib: Toolcrib): Promise<void> {
  title('1. Real MCP servers are started and listed');
  const reports = await crib.sync(undefined, ({ server, state, tools, durationMs, error }) => {
    say(
      `   ${server.padEnd(20)} ${String(tools).padStart(4)} tools  ${Math.round(durationMs)} ms${error ? `  ${error}` : ''}`,
    );
    check(state === 'ok', `server ${server} could not be listed: ${error}`);
  });
  check(reports.length >= 8, `only ${reports.length} servers were listed`);
  const problems = crib.listTools({ problemsOnly: true });
  say(`   ${problems.length} of these definitions cannot be used as sent; toolcrib says why and keeps the rest:`);
  const example = problems[0];
  check(
    example?.problem !== undefined,
    'no definition had a problem, although one of these tools is known to demand tasks',
  );
  say(`   ${example?.name}: ${example?.problem}`);
}

async function compareTokens(crib: Toolcrib): Promise<void> {
  title('2. What the model has to carry');
  await crib.settled();
  const stats = await crib.stats();
  check(stats.mode === 'discovery', `mode is ${stats.mode}, not discovery`);
  say(
    `   every definition   ${stats.definitionTokens.toLocaleString('en')} tokens (${stats.tools} tools, ${stats.servers} servers)`,
  );
  say(
    `   three meta-tools   ${stats.metaToolTokens.toLocaleString('en')} tokens (${stats.savedPercent.toFixed(1)} % less)`,
  );
}

async function searchInPlainWords(crib: Toolcrib): Promise<void> {
  title('3. Searching in plain words');
  const wanted = [
    ['save some text into a file on disk', 'filesystem__write_file'],
    ['open a bug ticket in the issue tracker of a repository', 'create_issue'],
    ['remember a fact about a person in the knowledge graph', 'memory__'],
  ] as const;
  for (const [query, expected] of wanted) {
    const start = performance.now();
    const { hits } = await crib.search(query, { limit: 3 });
    say(`   "${query}"  (${(performance.now() - start).toFixed(1)} ms)`);
    for (const hit of hits) say(`      ${hit.signature}`);
    check(
      hits.some(({ name }) => name.includes(expected)),
      `"${query}" did not find ${expected} among ${hits.map(({ name }) => name).join(', ')}`,
    );
  }
}

async function describeBest(crib: Toolcrib): Promise<void> {
  title('4. describe_tool, as the model reads it');
  const answer = textOf(await crib.call('describe_tool', { name: 'filesystem__write_file' }));
  check(answer.includes('content'), 'the description does not name the parameter "content"');
  say(indent(answer));
}

async function writeAndReadFile(crib: Toolcrib): Promise<void> {
  title('5. call_tool writes a file and reads it back');
  const path = join(folder, 'note.txt');
  const written = await crib.call('call_tool', {
    name: 'filesystem__write_file',
    arguments: { path, content: greeting },
  });
  say(indent(textOf(written)));
  check((await readFile(path, 'utf8')) === greeting, 'the file on disk does not hold what was written');
  const read = textOf(await crib.call('call_tool', { name: 'filesystem__read_text_file', arguments: { path } }));
  say(indent(read));
  check(read.includes(greeting), 'reading the file back gave something else');
}

async function explainWrongArgument(crib: Toolcrib): Promise<void> {
  title('6. A wrong argument is explained and never reaches the server');
  const answer = await crib.call('call_tool', {
    name: 'filesystem__write_file',
    arguments: { path: join(folder, 'other.txt'), contents: 42 },
  });
  check(answer.isError === true, 'the wrong argument was accepted');
  say(indent(textOf(answer)));
}

async function searchAfterRestart(): Promise<void> {
  title('7. A new process answers from the catalog on disk, no server started');
  const bin = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));
  const args = [bin, 'search', 'create an issue', '--config', configPath, '--catalog', catalogPath, '--json'];
  const start = performance.now();
  const output = await runNode(args);
  const elapsedMs = performance.now() - start;
  const { hits } = JSON.parse(output) as { hits: { name: string }[] };
  check(hits.length > 0, 'the search after the restart found nothing');
  say(`   $ toolcrib search "create an issue"`);
  for (const { name } of hits) say(`      ${name}`);
  say(`   ${Math.round(elapsedMs)} ms from the start of the process to its end`);
}

function runNode(args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(Buffer.concat(chunks).toString()) : reject(new Error(`toolcrib search ended with ${code}`)),
    );
  });
}

function check(isTrue: boolean, complaint: string): void {
  if (!isTrue) throw new Error(complaint);
}

function textOf(result: CallToolResult): string {
  return result.content.map((block) => (block.type === 'text' ? String(block.text) : `[${block.type}]`)).join('\n');
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '   ');
}

function title(text: string): void {
  say(`\n${text}`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
