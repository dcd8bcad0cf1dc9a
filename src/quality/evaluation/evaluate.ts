import pLimit from 'p-limit';
import { ToolcribError } from '../../errors/index.ts';
import type {
  CatalogReader,
  EvaluateOptions,
  EvaluationFigures,
  EvaluationReport,
  ModelChoice,
  ModelFigures,
  ToolSearcher,
} from '../../model/index.ts';
import { createArgumentValidator } from '../../validation/index.ts';
import { invalidCases } from '../case-rows.ts';
import type { CatalogCopy } from '../catalog-copy.ts';
import { toolsByName } from '../tools-by-name.ts';
import { attackCase } from './attack-case.ts';
import { compareBaseline } from './baseline.ts';
import { confusionsOf, figuresOf } from './figures.ts';
import { chatEndpoint, type ModelEndpoint } from './model/chat-endpoint.ts';
import { type ChooseDeps, choose } from './model/choose.ts';
import { modelFigures } from './model/model-figures.ts';
import { type EvaluationCase, readCases } from './read-cases.ts';
import { type ResolvedCase, resolveCases } from './resolve-cases.ts';
import { type JudgedCase, searchCase } from './search-cases.ts';

export interface EvaluateDeps {
  catalog: CatalogReader;
  searcher: Pick<ToolSearcher, 'search'>;
  vectorShare: number;
  /** Made where texts are injected, or a model looks around. */
  copy(): Promise<CatalogCopy>;
  /** Absent where none is configured. */
  model?: ModelEndpoint;
}

/** Answers of a model that are waited for at once. */
const modelParallel = 4;

/**
 * Runs every case: a search each on the live catalog, adversarial ones in a copy, and with a model its decision. Calls no tool. Throws
 * as `CatalogQuality.evaluate` does.
 */
export async function evaluate(deps: EvaluateDeps, options: EvaluateOptions): Promise<EvaluationReport> {
  const { cases, heldOut = [], baseline, useModel = false } = options;
  if (useModel && deps.model === undefined) throw noModel();
  const tools = deps.catalog.tools();
  const [shown, hidden] = [readCases(cases), readCases(heldOut)];
  checkApart(shown, hidden);
  const [open, kept] = [resolveCases(shown, tools), resolveCases(hidden, tools)];
  const run = new Run(deps, options, open.length + kept.length);
  try {
    const main = await run.all(open);
    const figures = figuresOf(main.judged);
    const outcomes = main.judged.map(({ outcome }) => outcome);
    return {
      ...figures,
      tools: tools.length,
      vectorShare: deps.vectorShare,
      confusions: confusionsOf(main.judged),
      outcomes,
      ...(main.model === undefined ? {} : { model: { ...main.model, choices: main.choices } }),
      ...(kept.length === 0 ? {} : { heldOut: await heldOutFigures(run, kept) }),
      ...(baseline === undefined ? {} : { baseline: compareBaseline(baseline, figures, outcomes) }),
    };
  } finally {
    await run.close();
  }
}

function noModel(): ToolcribError {
  return new ToolcribError('config_invalid', 'No model is configured to run the cases through.', {
    next: 'Add "quality": { "model": { "baseUrl": …, "model": … } } to the config.',
  });
}

/** A request that is tuned to must not also be held out. */
function checkApart(cases: readonly EvaluationCase[], heldOut: readonly EvaluationCase[]): void {
  const seen = new Map(cases.map((one) => [one.query.trim().toLowerCase(), one]));
  const problems = heldOut.flatMap(({ query, file, line }) => {
    const same = seen.get(query.trim().toLowerCase());
    return same === undefined
      ? []
      : [{ file, line, message: `the query of ${same.file}, line ${same.line}, is not held out` }];
  });
  if (problems.length > 0) throw invalidCases(problems);
}

async function heldOutFigures(
  run: Run,
  cases: readonly ResolvedCase[],
): Promise<EvaluationFigures & { model?: ModelFigures }> {
  const { judged, model } = await run.all(cases);
  return { ...figuresOf(judged), ...(model === undefined ? {} : { model }) };
}

interface Ran {
  judged: JudgedCase[];
  choices: ModelChoice[];
  model?: ModelFigures;
}

/** The cases of one evaluation: those that change nothing side by side, those that change the copy one by one. */
class Run {
  readonly #deps: EvaluateDeps;
  readonly #options: EvaluateOptions;
  readonly #total: number;
  #done = 0;
  #copy: Promise<CatalogCopy> | undefined;
  #chooseDeps: ChooseDeps | undefined;

  constructor(deps: EvaluateDeps, options: EvaluateOptions, total: number) {
    this.#deps = deps;
    this.#options = options;
    this.#total = total;
  }

  async all(cases: readonly ResolvedCase[]): Promise<Ran> {
    const choices = new Map<string, ModelChoice>();
    const judged = new Map<string, JudgedCase>();
    for (const one of cases.filter(({ inject }) => inject === undefined)) {
      judged.set(one.id, await searchCase(one, this.#deps.searcher));
      this.#tick();
    }
    await this.#chooseAll(
      cases.filter(({ inject }) => inject === undefined),
      choices,
    );
    for (const one of cases.filter(({ inject }) => inject !== undefined)) {
      judged.set(one.id, await attackCase(one, await this.#openCopy(), () => this.#chooseAll([one], choices)));
      this.#tick();
    }
    const made = cases.flatMap(({ id }) => choices.get(id) ?? []);
    const { model } = this.#deps;
    return {
      judged: cases.flatMap(({ id }) => judged.get(id) ?? []),
      choices: made,
      ...(this.#options.useModel && model !== undefined ? { model: modelFigures(model.model, made) } : {}),
    };
  }

  async close(): Promise<void> {
    (await this.#copy?.catch(() => undefined))?.close();
  }

  async #chooseAll(cases: readonly ResolvedCase[], choices: Map<string, ModelChoice>): Promise<void> {
    const { model } = this.#deps;
    if (!this.#options.useModel || model === undefined || cases.length === 0) return;
    const deps = await this.#openChoosing(model);
    const limit = pLimit({ concurrency: modelParallel, rejectOnClear: true });
    const chosen = cases.map((one) => limit(async () => choices.set(one.id, await choose(one, deps))));
    try {
      await Promise.all(chosen);
    } catch (error) {
      limit.clearQueue();
      await Promise.allSettled(chosen);
      throw error;
    }
  }

  async #openChoosing(model: ModelEndpoint): Promise<ChooseDeps> {
    const { signal } = this.#options;
    const named = toolsByName(this.#deps.catalog.tools());
    this.#chooseDeps ??= {
      complete: chatEndpoint(model),
      copy: await this.#openCopy(),
      toolsNamed: (name) => named.get(name) ?? [],
      validator: createArgumentValidator(),
      ...(signal === undefined ? {} : { signal }),
    };
    return this.#chooseDeps;
  }

  #openCopy(): Promise<CatalogCopy> {
    this.#copy ??= this.#deps.copy();
    return this.#copy;
  }

  #tick(): void {
    if (this.#options.signal?.aborted)
      throw new ToolcribError('cancelled', 'The evaluation was interrupted.', { next: 'Run it again.' });
    this.#done += 1;
    this.#options.onProgress?.(this.#done, this.#total);
  }
}
