interface ErrorEntry {
  title: string;
  /** What the reader can do now; a call site may give a more exact one. */
  next: string;
  /** Who can mend it; `config` and `usage` end a command with exit code 2, all others with 1. */
  kind: 'config' | 'usage' | 'upstream' | 'catalog' | 'arguments' | 'internal';
}

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
  },
  address_refused: {
    title: 'Only loopback addresses are served',
    next: 'Leave the host out or use 127.0.0.1; other addresses need access control, which this version lacks.',
    kind: 'usage',
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
  },
  upstream_timeout_unknown_outcome: {
    title: 'Call timed out and may have run',
    next: 'Check whether the call took effect before doing it again.',
    kind: 'upstream',
  },
  upstream_error: {
    title: 'Server answered with an error',
    next: 'Read the message of the server; change the arguments if it says so.',
    kind: 'upstream',
  },
  upstream_lost: {
    title: 'Server ended during the call',
    next: 'Check whether the call took effect before doing it again.',
    kind: 'upstream',
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
  },
  login_refused: {
    title: 'Login is not safe',
    next: 'Ask who runs the server whether its authorization settings are right; nothing was sent.',
    kind: 'upstream',
  },
  login_unsupported: {
    title: 'Server takes no login',
    next: 'Use the server as it is, or configure its "headers".',
    kind: 'usage',
  },
  credentials_unusable: {
    title: 'File of credentials cannot be used',
    next: 'Check the file and its permissions, or move it away and log in again.',
    kind: 'config',
  },
  cancelled: { title: 'Call was cancelled', next: 'Call again if it is still wanted.', kind: 'upstream' },
  input_unavailable: {
    title: 'User cannot be asked',
    next: 'Tell the user what was asked, or call from a host that can ask its user (MCP elicitation).',
    kind: 'upstream',
  },
  input_state_invalid: {
    title: 'Answer belongs to no call that waits',
    next: 'Check whether the call took effect; if not, call the tool again from the start, without requestState and inputResponses.',
    kind: 'arguments',
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
  },
  invalid_path: {
    title: 'Path leads nowhere in the schema',
    next: 'Describe the tool without a path and use one of the paths shown.',
    kind: 'arguments',
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
  },
  unknown_resource: {
    title: 'No result named this resource',
    next: 'Call the tool whose result links to the resource, then read it.',
    kind: 'arguments',
  },
  ambiguous_resource: {
    title: 'Several servers named this resource',
    next: 'Get its content from a tool of the server that is meant.',
    kind: 'arguments',
  },
  tool_set_aside: {
    title: 'Tool is set aside',
    next: 'Use another tool; this one cannot be called as its server defines it.',
    kind: 'arguments',
  },
  closed: { title: 'toolcrib was closed', next: 'Create a new one.', kind: 'internal' },
  internal: {
    title: 'Fault in toolcrib',
    next: 'Report it with the log of the run.',
    kind: 'internal',
  },
} as const satisfies Record<string, ErrorEntry>;

/** The permanent code of an error. */
export type ErrorCode = keyof typeof errorCatalog;
