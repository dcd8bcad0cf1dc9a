import { isBaseVariable } from './environment.ts';
import { expandVariables, missingMessage, type Variables } from './expand.ts';
import { isHttpUrl } from './http-url.ts';
import type { ConfigProblem } from './problem.ts';
import type { QualityValues } from './schema.ts';
import { endpointSecrets, onlySecrets } from './secrets.ts';
import { type ConfigSource, problemAt } from './source.ts';

/** The model that evaluation cases are run through, with every variable expanded. */
export interface QualityModel {
  baseUrl: string;
  model: string;
  apiKey?: string;
  timeoutMs: number;
}

export interface QualityResult {
  /** Absent where none is configured, or a variable is missing. */
  model?: QualityModel;
  problems: ConfigProblem[];
  secrets: string[];
}

/** Reads `quality.model`. A missing variable is a warning: nothing else needs the model. */
export function readQuality(
  source: ConfigSource,
  { model: values }: QualityValues,
  variables: Variables,
): QualityResult {
  const result: QualityResult = { problems: [], secrets: [] };
  if (values === undefined) return result;
  let isIncomplete = false;
  const report = (key: string, severity: ConfigProblem['severity'], message: string) =>
    result.problems.push(problemAt(source, ['quality', 'model', key], { severity, message }));
  const expand = (key: string, text: string) => {
    const expansion = expandVariables(text, variables);
    result.secrets.push(...expansion.used.filter(({ name }) => !isBaseVariable(name)).map(({ value }) => value));
    for (const name of expansion.missing) {
      isIncomplete = true;
      report(key, 'warning', `${missingMessage(name)}; until then no cases are run through a model`);
    }
    return expansion.text;
  };
  const baseUrl = expand('baseUrl', values.baseUrl);
  const model = expand('model', values.model);
  const apiKey = values.apiKey === undefined ? undefined : expand('apiKey', values.apiKey);
  if (isIncomplete) return { ...result, secrets: onlySecrets(result.secrets) };
  if (!isHttpUrl(baseUrl)) {
    report('baseUrl', 'error', 'expected a URL that starts with http:// or https://, got another text');
    return result;
  }
  result.secrets = onlySecrets([...result.secrets, ...endpointSecrets(baseUrl, apiKey)]);
  return {
    ...result,
    model: { baseUrl, model, timeoutMs: values.timeoutMs, ...(apiKey === undefined ? {} : { apiKey }) },
  };
}
