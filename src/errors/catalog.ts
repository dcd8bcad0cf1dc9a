import type { OutcomeCode } from './outcomes.ts';

interface ErrorEntry {
  title: string;
  /** What the reader can do now; a call site may give a more exact one. */
  next: string;
  /** The same where it is not known whether a call ran, in place of `unknownOutcomeNext`: never to call again. */
  nextIfUnknown?: string;
  /** Who can mend it; `config` and `usage` end a command with exit code 2, all others with 1. */
  kind: 'config' | 'usage' | 'upstream' | 'catalog' | 'arguments' | 'policy' | 'internal';
  /** As which outcome of a call it is told, where it is none itself. Default: by whether the call may have run. */
  outcome?: OutcomeCode;
}

/** The next step whenever it is not known whether a call ran, instead of any other. */
export const unknownOutcomeNext =
  'It is not known whether the call took effect. Find out by a tool that only reads, or from the user, before anything else is done.';

/** Every error toolcrib raises, by its permanent code. */
export const errorCatalog = {
  config_not_found: {
    title: 'Config file not found',
    next: 'Name a config with --config FILE, or create one in the user config directory.',
    kind: 'config',
  },
  config_unreadable: {
    title: 'Config file cannot be read',
    next: 'Check that the path is a file and that you may read it.',
    kind: 'config',
  },
  config_invalid: {
    title: 'Config file has errors',
    next: 'Mend the places listed and run the command again.',
    kind: 'config',
  },
  usage_invalid: {
    title: 'Command used wrongly',
    next: 'Run the command with --help.',
    kind: 'usage',
  },
  server_unknown: {
    title: 'No such server',
    next: 'Run `toolcrib list servers` for the ids of the configured servers.',
    kind: 'usage',
    outcome: 'invalid_arguments',
  },
  address_refused: {
    title: 'Address would be open to everyone',
    next: 'Create a token with `toolcrib token create`, or set "requireToken" under "http"; or use 127.0.0.1.',
    kind: 'usage',
  },
  address_unusable: {
    title: 'Address is not one of this machine',
    next: 'Use 127.0.0.1, 0.0.0.0, or an address of this machine.',
    kind: 'usage',
  },
  token_exists: {
    title: 'Caller has a token already',
    next: 'Revoke it first with `toolcrib token revoke NAME`, or choose another name.',
    kind: 'usage',
    outcome: 'not_authorized',
  },
  token_unknown: {
    title: 'No such token',
    next: 'Run `toolcrib token list` for the tokens in force.',
    kind: 'usage',
    outcome: 'not_authorized',
  },
  port_in_use: {
    title: 'Port is in use',
    next: 'Choose another port, or 0 for any free one.',
    kind: 'usage',
  },
  catalog_unopenable: {
    title: 'Catalog file cannot be opened',
    next: 'Check the path and its permissions, or name another file with --catalog.',
    kind: 'catalog',
  },
  catalog_corrupt: {
    title: 'Catalog file is damaged',
    next: 'Move the file away and run `toolcrib sync`: the catalog is rebuilt from the servers.',
    kind: 'catalog',
  },
  catalog_newer: {
    title: 'Catalog file was written by a newer toolcrib',
    next: 'Update toolcrib, or name another file with --catalog.',
    kind: 'catalog',
  },
  catalog_locked: {
    title: 'Catalog file is locked',
    next: 'Another program holds it: end that program or try again in a moment. Nothing in the file was changed.',
    kind: 'catalog',
  },
  catalog_unwritable: {
    title: 'Catalog file cannot be written',
    next: 'Make room on the disk, or check the permissions of the file and its folder. What is in the file stays as it was.',
    kind: 'catalog',
  },
  embedding_model_broken: {
    title: 'Embedding model cannot be loaded',
    next: 'Reinstall toolcrib, or set "embedding": "none"; search goes on by keywords.',
    kind: 'internal',
  },
  embedding_library_missing: {
    title: 'Package for this embedding model is not installed',
    next: 'Run `npm install @huggingface/transformers`, or set "embedding": "minilm"; search goes on by keywords.',
    kind: 'config',
  },
  embedding_endpoint_refused: {
    title: 'Embedding endpoint refuses or answers wrongly',
    next: 'Check "embedding" in the config; search goes on by keywords.',
    kind: 'config',
  },
  embedding_endpoint_unavailable: {
    title: 'Embedding endpoint does not answer',
    next: 'Start the endpoint or try again later; search goes on by keywords until then.',
    kind: 'upstream',
  },
  upstream_unavailable: {
    title: 'Server cannot be reached',
    next: 'Try another tool, or try again later.',
    kind: 'upstream',
  },
  upstream_timeout: {
    title: 'Server did not answer in time',
    next: 'Raise the server\'s "connectTimeoutMs", or look at its own log.',
    kind: 'upstream',
    outcome: 'upstream_unavailable',
  },
  upstream_timeout_unknown_outcome: {
    title: 'Call timed out and may have run',
    next: unknownOutcomeNext,
    kind: 'upstream',
  },
  upstream_error: {
    title: 'Server answered with an error',
    next: 'Read the message of the server; change the arguments if it says so.',
    nextIfUnknown:
      'Read the message of the server, and find out whether the call took effect before anything else is done.',
    kind: 'upstream',
  },
  upstream_lost: {
    title: 'Server ended during the call',
    next: unknownOutcomeNext,
    kind: 'upstream',
    outcome: 'upstream_timeout_unknown_outcome',
  },
  login_required: {
    title: 'Server needs a login',
    next: 'Tell the user that they have to log in to this server themselves; use another server until then.',
    kind: 'upstream',
  },
  login_failed: {
    title: 'Login did not succeed',
    next: 'Read the message, and log in again when its cause is gone.',
    kind: 'upstream',
    outcome: 'login_required',
  },
  login_refused: {
    title: 'Login is not safe',
    next: 'Ask who runs the server whether its authorization settings are right; nothing was sent.',
    kind: 'upstream',
    outcome: 'login_required',
  },
  login_unsupported: {
    title: 'Server takes no login',
    next: 'Use the server as it is, or configure its "headers".',
    kind: 'usage',
    outcome: 'login_required',
  },
  credentials_unusable: {
    title: 'File of credentials cannot be used',
    next: 'Check the file and its permissions, or move it away and log in again.',
    kind: 'config',
    outcome: 'login_required',
  },
  cancelled: { title: 'Call was cancelled', next: 'Call again if it is still wanted.', kind: 'upstream' },
  input_unavailable: {
    title: 'User cannot be asked',
    next: 'Tell the user what was asked, or call from a host that can ask its user (MCP elicitation).',
    nextIfUnknown: 'Tell the user what was asked, and that it is not known whether the call took effect.',
    kind: 'upstream',
    outcome: 'upstream_error',
  },
  input_state_invalid: {
    title: 'Answer belongs to no call that waits',
    next: 'Check whether the call took effect; if not, call the tool again from the start, without requestState and inputResponses.',
    kind: 'arguments',
    outcome: 'invalid_arguments',
  },
  invalid_arguments: {
    title: 'Arguments do not fit',
    next: 'Correct the fields named and call again.',
    kind: 'arguments',
  },
  invalid_cursor: {
    title: 'Cursor is not valid',
    next: 'Search again without a cursor.',
    kind: 'arguments',
    outcome: 'invalid_arguments',
  },
  invalid_path: {
    title: 'Path leads nowhere in the schema',
    next: 'Describe the tool without a path and use one of the paths shown.',
    kind: 'arguments',
    outcome: 'invalid_arguments',
  },
  unknown_tool: {
    title: 'No such tool',
    next: 'Search for it with search_tools.',
    kind: 'arguments',
  },
  ambiguous_tool: {
    title: 'Several tools have this name',
    next: 'Use one of the full names.',
    kind: 'arguments',
    outcome: 'unknown_tool',
  },
  unknown_resource: {
    title: 'No result named this resource',
    next: 'Call the tool whose result links to the resource, then read it.',
    kind: 'arguments',
    outcome: 'invalid_arguments',
  },
  ambiguous_resource: {
    title: 'Several servers named this resource',
    next: 'Get its content from a tool of the server that is meant.',
    kind: 'arguments',
    outcome: 'invalid_arguments',
  },
  tool_set_aside: {
    title: 'Tool is set aside',
    next: 'Use another tool; this one cannot be called as its server defines it.',
    kind: 'arguments',
    outcome: 'unknown_tool',
  },
  not_authorized: {
    title: 'Caller lacks a scope',
    next: 'Use another tool, or ask the user for a token with the scope named.',
    kind: 'policy',
  },
  denied: {
    title: 'Call is not allowed',
    next: 'Use another tool, or tell the user what you wanted to do and why.',
    kind: 'policy',
  },
  approval_required: {
    title: 'Call needs the approval of a person',
    next: 'Tell the user what you want to do and the id of the request; call with the same arguments once they have approved it.',
    kind: 'policy',
  },
  approval_unknown: {
    title: 'No call waits under this id',
    next: 'Look at the calls that wait with `toolcrib approvals list`; a request is kept for an hour.',
    kind: 'usage',
    outcome: 'approval_required',
  },
  quarantined: {
    title: 'Tool is held back',
    next: 'Use another tool, and tell the user that this one waits for their approval.',
    kind: 'policy',
  },
  definition_changed: {
    title: 'Definition of the tool has changed',
    next: 'Use another tool, and tell the user that this one has changed and waits for their approval.',
    kind: 'policy',
  },
  rate_limited: {
    title: 'Too many calls',
    next: 'Wait as long as the message says, then call again.',
    kind: 'policy',
  },
  result_too_large: {
    title: 'Result is too large',
    next: 'Read the rest with toolcrib__read_result, or ask for less: a filter, fewer items, one page.',
    nextIfUnknown:
      'The call ran; only its result could not be read. Do not repeat it unless it only reads, and then ask for less.',
    kind: 'upstream',
  },
  handle_expired: {
    title: 'Handle of a result is not valid any more',
    next: 'If the tool only reads, call it once more; else go on with what you have read.',
    kind: 'arguments',
  },
  idempotency_conflict: {
    title: 'Idempotency key belongs to another call',
    next: 'Use a new key for this call.',
    kind: 'arguments',
  },
  operation_in_progress: {
    title: 'Call is still running',
    next: 'Wait, then ask with the same key and the same arguments; nothing is run twice.',
    kind: 'upstream',
  },
  terminal_required: {
    title: 'A person has to decide this at a terminal',
    next: 'Run the command yourself in a terminal, not through a pipe or a script.',
    kind: 'usage',
  },
  file_unusable: {
    title: 'File cannot be read or written',
    next: 'Check the path and its permissions.',
    kind: 'usage',
  },
  cases_invalid: {
    title: 'Case file has errors',
    next: 'Mend the lines named; `toolcrib eval --help` shows the form of a case.',
    kind: 'usage',
  },
  model_endpoint_failed: {
    title: 'Model endpoint refuses or answers wrongly',
    next: 'Check "quality.model" in the config, and that the endpoint runs.',
    kind: 'upstream',
  },
  lock_differs: {
    title: 'Servers list other definitions than the lock',
    next: 'Look at them with `toolcrib diff TOOL`; when they are as they should be, write the lock anew with `toolcrib lock`.',
    kind: 'catalog',
  },
  lock_unusable: {
    title: 'Lock file cannot be used',
    next: 'Check the path, or write the file anew with `toolcrib lock`.',
    kind: 'config',
  },
  host_file_unusable: {
    title: 'File cannot be used',
    next: 'Check the file, or name another one.',
    kind: 'config',
  },
  file_changed: {
    title: 'File was changed by something else',
    next: 'Look at what changed in it; nothing was written.',
    kind: 'config',
  },
  nothing_to_restore: {
    title: 'There is no backup to put back',
    next: 'Name the file with --file, if it is another one.',
    kind: 'usage',
  },
  servers_not_imported: {
    title: 'Servers of the host are not in the config',
    next: 'Run `toolcrib import` first.',
    kind: 'usage',
  },
  closed: { title: 'toolcrib was closed', next: 'Create a new one.', kind: 'internal', outcome: 'cancelled' },
  internal: {
    title: 'Fault in toolcrib',
    next: 'Report it with the log of the run.',
    kind: 'internal',
  },
} as const satisfies Record<string, ErrorEntry>;

/** The permanent code of an error. */
export type ErrorCode = keyof typeof errorCatalog;
