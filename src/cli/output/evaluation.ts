import type {
  AttackFigures,
  BaselineDifference,
  CaseFigures,
  EvaluationFigures,
  EvaluationReport,
  ModelFigures,
  Recall,
} from '../../model/index.ts';
import { formatCount, plural } from '../../render/index.ts';
import type { TextOutput } from '../io.ts';
import { formatLines } from './lines.ts';
import { singleLine } from './plain-text.ts';
import { formatTable } from './table.ts';

/** Cases, pairs and changes that a terminal shows of each list; JSON has all. */
const shownMax = 10;

/** One line a figure, for a pipe: what it is of, its name, its value. */
export function formatFigures(report: EvaluationReport): string {
  return formatLines([
    ...rowsOf('cases', report),
    ...(report.model === undefined ? [] : modelRows('model', report.model)),
    ...(report.heldOut === undefined ? [] : rowsOf('held out', report.heldOut)),
    ...(report.heldOut?.model === undefined ? [] : modelRows('held out model', report.heldOut.model)),
    ...(report.baseline === undefined ? [] : baselineRows(report.baseline)),
  ]);
}

/** Figures by kind, then what went wrong, for a terminal. */
export async function formatEvaluation(report: EvaluationReport, output: TextOutput): Promise<string> {
  const { model, heldOut, baseline } = report;
  const blocks = [
    await figureTable(report, output),
    await attackTable(report.attacks, output),
    ...(model === undefined ? [] : [await modelTable(model, output)]),
    ...(heldOut === undefined ? [] : [`held out:\n${await figureTable(heldOut, output)}`]),
    missed(report),
    confusions(report),
    ...(baseline === undefined ? [] : [difference(baseline)]),
    `${plural(report.cases, 'case')} on ${plural(report.tools, 'tool')}${vectorNote(report)}\n`,
  ];
  return blocks.filter((block) => block !== '').join('\n');
}

function vectorNote({ vectorShare }: EvaluationReport): string {
  return vectorShare === 1 ? '' : `, ${Math.round(vectorShare * 100)} % of their texts with a vector`;
}

function figureTable({ kinds, recall, cases }: EvaluationFigures, output: TextOutput): Promise<string> {
  const rows = Object.entries(kinds).map(([kind, figures]) => [
    kind,
    formatCount(figures.cases),
    ...kindCells(figures),
  ]);
  const headers = ['KIND', 'CASES', 'RECALL@1', '@3', '@5', '@10', ''];
  return formatTable(headers, [...rows, ['all', formatCount(cases), ...recallCells(recall), '']], output);
}

function kindCells({ recall, taken, weak, empty }: CaseFigures): string[] {
  if (recall !== undefined)
    return [...recallCells(recall), taken === undefined ? '' : `the other one first ${share(taken)}`];
  return ['', '', '', '', `marked weak ${share(weak)}, without hits ${share(empty)}`];
}

function recallCells(recall: Recall): string[] {
  return [recall[1], recall[3], recall[5], recall[10]].map((value) => value.toFixed(2));
}

function attackTable(attacks: readonly AttackFigures[], output: TextOutput): Promise<string> {
  const rows = attacks.map(({ attack, cases, meanRise, overtook, flagged }) => [
    attack,
    formatCount(cases),
    meanRise.toFixed(1),
    share(overtook),
    share(flagged),
  ]);
  return formatTable(['ATTACK', 'CASES', 'PLACES RISEN', 'OVERTOOK', 'FOUND BY THE SCAN'], rows, output);
}

async function modelTable(figures: ModelFigures, output: TextOutput): Promise<string> {
  const rows = Object.entries(figures.kinds).map(([kind, { cases, right }]) => [
    kind,
    formatCount(cases),
    share(right),
  ]);
  const { input, output: written } = figures.tokens;
  const failed = figures.failed === 0 ? '' : `; ${formatCount(figures.failed)} could not be finished`;
  const total = `${singleLine(figures.model)}: ${formatCount(input)} tokens read, ${formatCount(written)} written, ${plural(figures.roundTrips, 'round trip')}${failed}\n`;
  return `${await formatTable(['MODEL, BY KIND', 'CASES', 'RIGHT'], [...rows, ['all', formatCount(figures.cases), share(figures.right)]], output)}${total}`;
}

function missed({ outcomes }: EvaluationReport): string {
  const lines = outcomes
    .filter(({ kind, rank }) => kind !== 'none' && (rank === undefined || rank > 5))
    .map(
      ({ id, query, expected, rank, found }) =>
        `${id}: "${query}" expects ${expected.join(', ')} (${rank === undefined ? 'not found' : `place ${rank}`}); first ${found[0] ?? 'nothing'}`,
    );
  return list('not among the first five', lines);
}

function confusions({ confusions: pairs }: EvaluationReport): string {
  return list(
    'came first in place of the right one',
    pairs.map(({ expected, got, cases }) => `${got} for ${expected}: ${cases.join(', ')}`),
  );
}

function difference({ recall, better, worse, added, removed }: BaselineDifference): string {
  const signed = (value: number) => `${value < 0 ? '' : '+'}${value.toFixed(3)}`;
  const move = ({ id, before, after }: { id: string; before: number; after: number }) =>
    `${id}: ${place(before)} to ${place(after)}`;
  const head = `against the baseline: recall@1 ${signed(recall[1])}, @3 ${signed(recall[3])}, @5 ${signed(recall[5])}, @10 ${signed(recall[10])}; ${plural(added.length, 'case')} added, ${formatCount(removed.length)} removed\n`;
  return [head, list('worse', worse.map(move)), list('better', better.map(move))].join('');
}

function place(rank: number): string {
  return rank === 0 ? 'not found' : `place ${rank}`;
}

function list(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const more = lines.length > shownMax ? [`… ${formatCount(lines.length - shownMax)} more (--json has all)`] : [];
  return `${title}:\n${[...lines.slice(0, shownMax), ...more].map((line) => `  ${singleLine(line)}\n`).join('')}`;
}

function rowsOf(of: string, { cases, recall, kinds, attacks }: EvaluationFigures): string[][] {
  return [
    [of, 'cases', String(cases)],
    ...recallRows(of, recall),
    ...Object.entries(kinds).flatMap(([kind, figures]) => [
      [`${of} ${kind}`, 'cases', String(figures.cases)],
      ...(figures.recall === undefined ? [] : recallRows(`${of} ${kind}`, figures.recall)),
      ...(figures.taken === undefined ? [] : [[`${of} ${kind}`, 'taken', figures.taken.toFixed(3)]]),
      ...(figures.weak === undefined ? [] : [[`${of} ${kind}`, 'weak', figures.weak.toFixed(3)]]),
      ...(figures.empty === undefined ? [] : [[`${of} ${kind}`, 'empty', figures.empty.toFixed(3)]]),
    ]),
    ...attacks.flatMap(({ attack, ...figures }) =>
      Object.entries(figures).map(([name, value]) => [
        `${of} attack ${attack}`,
        name,
        String(Number(value.toFixed(3))),
      ]),
    ),
  ];
}

function recallRows(of: string, recall: Recall): string[][] {
  return (['1', '3', '5', '10'] as const).map((at) => [of, `recall@${at}`, recall[at].toFixed(3)]);
}

function modelRows(of: string, { right, failed, tokens, roundTrips, kinds }: ModelFigures): string[][] {
  return [
    [of, 'right', right.toFixed(3)],
    ...Object.entries(kinds).map(([kind, figures]) => [`${of} ${kind}`, 'right', figures.right.toFixed(3)]),
    [of, 'failed', String(failed)],
    [of, 'inputTokens', String(tokens.input)],
    [of, 'outputTokens', String(tokens.output)],
    [of, 'roundTrips', String(roundTrips)],
  ];
}

function baselineRows({ recall, worse, better }: BaselineDifference): string[][] {
  return [
    ...recallRows('baseline difference', recall),
    ...worse.map(({ id, before, after }) => ['worse', id, `${before} ${after}`]),
    ...better.map(({ id, before, after }) => ['better', id, `${before} ${after}`]),
  ];
}

function share(value: number | undefined): string {
  return `${Math.round(100 * (value ?? 0))} %`;
}
