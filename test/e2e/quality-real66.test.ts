import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToolcrib } from '../../src/app/index.ts';
import type { CollisionReport, Toolcrib } from '../../src/model/index.ts';
import { readRecording, real66Recording } from '../fixtures/replay/index.ts';

const skipped = real66Recording === undefined;
if (skipped) console.warn('real66 is not on this machine (set TOOLCRIB_BENCH_DATA): its quality reports are skipped.');

/** Pairs of tools as a person judged them after reading both definitions: is one easily taken for the other? */
const judged: Record<'close' | 'apart', [string, string][]> = {
  close: [
    ['filesystem__read_file', 'desktop-commander__read_file'],
    ['filesystem__list_directory', 'desktop-commander__list_directory'],
    ['filesystem__write_file', 'desktop-commander__write_file'],
    ['filesystem__move_file', 'desktop-commander__move_file'],
    ['brave-search-old__brave_web_search', 'brave-search__brave_web_search'],
    ['brave-search-old__brave_local_search', 'brave-search__brave_local_search'],
    ['github__create_issue', 'gitlab__create_issue'],
    ['github__fork_repository', 'gitlab__fork_repository'],
    ['github__create_branch', 'gitlab__create_branch'],
    ['github__push_files', 'gitlab__push_files'],
    ['github__create_or_update_file', 'gitlab__create_or_update_file'],
    ['gitlab__get_file_contents', 'gitlab-zereight__get_file_contents'],
    ['gitlab__create_merge_request', 'gitlab-zereight__create_merge_request'],
    ['browsermcp__browser_click', 'playwright__browser_click'],
    ['puppeteer__puppeteer_navigate', 'playwright__browser_navigate'],
    ['puppeteer__puppeteer_fill', 'playwright-ea__playwright_fill'],
    ['postman__syncCollectionWithSpec', 'postman__syncSpecWithCollection'],
    ['github__list_issues', 'github__search_issues'],
    ['google-calendar__list-events', 'google-calendar__search-events'],
    ['n8n__n8n_validate_workflow', 'n8n__validate_workflow'],
    ['ms-365__send-mail', 'ms-365__send-shared-mailbox-mail'],
    ['shortcut__stories-add-subtask', 'shortcut__stories-create-subtask'],
    ['asana__asana_add_task_dependencies', 'asana__asana_add_task_dependents'],
  ],
  apart: [
    ['github__create_issue', 'github__update_issue'],
    ['github__create_issue', 'github__add_issue_comment'],
    ['hostinger__billing_disableAutoRenewalV1', 'hostinger__billing_enableAutoRenewalV1'],
    ['hostinger__VPS_activateFirewallV1', 'hostinger__VPS_deactivateFirewallV1'],
    ['hostinger__hosting_installWordPressPluginsV1', 'hostinger__hosting_uninstallWordPressPluginsV1'],
    ['filesystem__read_file', 'filesystem__write_file'],
    ['filesystem__read_file', 'filesystem__move_file'],
    ['memory__create_entities', 'memory__delete_entities'],
    ['memory__create_entities', 'memory__create_relations'],
    ['slack__slack_post_message', 'slack__slack_get_users'],
    ['google-calendar__create-event', 'google-calendar__delete-event'],
    ['kubernetes__kubectl_get', 'kubernetes__kubectl_delete'],
    ['airtable__list_records', 'airtable__list_bases'],
    ['gmail__send_email', 'gmail__read_email'],
    ['github__create_repository', 'github__fork_repository'],
    ['mongodb__insert-many', 'mongodb__delete-many'],
    ['google-maps__maps_geocode', 'google-maps__maps_reverse_geocode'],
    ['asana__asana_create_task', 'asana__asana_create_subtask'],
  ],
};

describe.skipIf(skipped)('quality reports on the 66 servers of real66', () => {
  let crib: Toolcrib;
  let names: Set<string>;
  let pairs: Set<string>;
  let report: CollisionReport;

  beforeAll(async () => {
    // Vectors of 2,514 tools take a minute; words and arguments have to do here.
    crib = createToolcrib({ catalog: ':memory:', embedding: 'none' });
    for (const { server, tools } of readRecording(String(real66Recording))) crib.ingest(server, tools);
    names = new Set(crib.listTools().map(({ name }) => name));
    report = await crib.quality().collisions({ limit: 100_000 });
    pairs = new Set(report.collisions.map(({ tools: [a, b] }) => key(a.name, b.name)));
  }, 180_000);
  afterAll(() => crib?.close());

  const key = (a: string, b: string) => [a, b].sort().join(' ');

  it('are about tools that there are', () => {
    const named = [...judged.close, ...judged.apart].flat();
    expect(named.filter((name) => !names.has(name))).toEqual([]);
  });

  it.each(judged.close)('%s is taken for %s', (a, b) => {
    expect(pairs).toContain(key(a, b));
  });

  it.each(judged.apart)('%s is not taken for %s', (a, b) => {
    expect(pairs).not.toContain(key(a, b));
  });

  it('looks at few of three million pairs', () => {
    expect(report.pairs).toBeGreaterThan(3_000_000);
    expect(report.compared).toBeLessThan(report.pairs / 20);
  });

  it('finds errors in few tools, and faults by nearly every rule', async () => {
    const { levels, tools, rules } = await crib.quality().lint();
    expect(tools).toBeGreaterThan(2_500);
    expect(levels.error).toBeGreaterThan(5);
    expect(levels.error).toBeLessThan(tools / 50);
    expect(rules.length).toBeGreaterThan(12);
  }, 180_000);
});
