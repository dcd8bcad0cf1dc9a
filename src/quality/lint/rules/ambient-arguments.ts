import { nameWords } from '../../name-words.ts';
import { type NamedParameter, typesOf } from '../../parameter-tree.ts';
import type { LintedCatalog, LintRule, LintSubject } from '../rule.ts';

/** Words of names that hold a secret, and words beside which they mean something else. */
const secretName =
  /(?:^|_)(?:api_?key|apikey|access_token|auth_token|authorization|bearer(?:_token)?|client_secret|secret_key|secret|password|passwd|passphrase|private_key|credentials?|token)$/;
const harmlessTokens =
  /(?:page|pagination|next|sync|continuation|cursor|max|min|skip|change|delta|csrf|prev|previous|start|range|device|push|edit|stop|confirm\w*)_token$|tokens$/;

const credentialArgument: LintRule = {
  code: 'credential_argument',
  level: 'warning',
  title: 'credential as an argument',
  why: 'A secret that a model fills in stands in its context, in logs and in whatever else reads the conversation.',
  fix: 'Take credentials from the environment of the server, its configuration or the login of its user.',
  *check(subject) {
    for (const parameter of subject.parameters) {
      if (parameter.depth > 0 || !isCredential(parameter, subject)) continue;
      yield { field: `parameters.${parameter.path}`, message: `"${parameter.name}" is for a secret.` };
    }
  },
};

/** The secret is what the tool is about where its name says so, or where it makes something that has one. */
function isCredential({ name, schema, description }: NamedParameter, { action }: LintSubject): boolean {
  const words = nameWords(name);
  const snake = words.join('_');
  if (!secretName.test(snake) || harmlessTokens.test(snake) || !typesOf(schema).includes('string')) return false;
  const isSubject = words.some((word) => action.words.some((own) => own === word || own === `${word}s`));
  const isPartOfNew = newSecret.test(description) || (action.effect === 'write' && isPassword.test(snake));
  return !isSubject && !isPartOfNew;
}

/** A secret that is given to something new, and not one that lets the caller in. */
const newSecret = /\b(?:generated?|new|initial|temporary|random|choose)\b/i;
const isPassword = /(?:password|secret|credentials?|passphrase)$/;

/** Whose data it is, as parameters name it. */
const ownerNames =
  /^(?:tenant|tenant_id|tenant_name|realm|user|user_id|user_email|username|user_name|user_\w+_email|account|account_id|org|org_id|org_slug|org_name|organization|organization_id|organization_slug|organisation_id|company_id|customer_id|workspace|workspace_id|workspace_gid|current_user(?:_id)?|caller(?:_id)?|acting_user(?:_id)?)$/;
/** A description that speaks of whoever is logged in. */
const speaksOfCaller =
  /\b(?:authenticated|current|logged[- ]in|your|calling|acting)\s+(?:user|account|tenant|organi[sz]ation|workspace|customer|company|identity|email)\b|\bof the caller\b/i;

const ambientArgument: LintRule = {
  code: 'ambient_argument',
  level: 'warning',
  title: 'tenant or user that the server should know',
  why: 'Who the caller is follows from the login. A model that names them may name someone else, and has to ask or guess first.',
  fix: 'Take it from the login or the configuration of the server; where there are several, give it a default and a tool that lists them.',
  *check(subject, catalog) {
    for (const parameter of subject.parameters) {
      const reason = parameter.depth === 0 ? ambientReason(parameter, subject, catalog) : undefined;
      if (reason !== undefined)
        yield { field: `parameters.${parameter.path}`, message: `"${parameter.name}" ${reason}` };
    }
  },
};

/** Asked for by fewer tools, it is an ordinary argument of theirs. */
const demandMin = { tools: 4, share: 0.5 };

function ambientReason(
  { name, description, isRequired }: NamedParameter,
  { tool }: LintSubject,
  catalog: LintedCatalog,
) {
  const snake = nameWords(name).join('_');
  if (!ownerNames.test(snake)) return undefined;
  if (isRequired && /^(?:tenant|realm|current_user|caller|acting_user)/.test(snake))
    return 'says for whom the call is made.';
  if (isRequired && speaksOfCaller.test(description)) return 'is whoever is logged in, by its description.';
  const { tools, of } = catalog.demand(tool.serverId, name);
  if (!isRequired || tools < demandMin.tools || tools < demandMin.share * of) return undefined;
  return `is demanded by ${tools} of ${of} tools of this server.`;
}

export const ambientRules: readonly LintRule[] = [credentialArgument, ambientArgument];
