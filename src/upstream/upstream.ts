import { distance } from 'fastest-levenshtein';
import { ToolcribError } from '../errors/index.ts';
import type {
  CallOutcome,
  CatalogReader,
  CatalogWriter,
  DisabledServer,
  IngestReport,
  JsonObject,
  Logger,
  LoginOptions,
  LoginReport,
  LogoutReport,
  ReadResourceResult,
  ResumePoint,
  ServerSpec,
  ServerState,
  SyncReport,
  Tool,
  Upstream,
  UpstreamCallOptions,
} from '../model/index.ts';
import { mayLogIn } from './auth/auth-context.ts';
import type { Authorizer } from './auth/authorization.ts';
import { type CredentialStore, MemoryCredentialStore } from './auth/credential-store.ts';
import { logIn } from './auth/log-in.ts';
import { logOut } from './auth/log-out.ts';
import { loginUnsupported } from './auth/login-faults.ts';
import { ServerAuth } from './auth/server-auth.ts';
import { BackgroundRefresh } from './background-refresh.ts';
import type { CallLane } from './call-lane.ts';
import { Connection } from './connection.ts';
import { fault } from './faults.ts';
import { defaultLimits, type UpstreamLimits } from './limits.ts';
import { ParallelStarts } from './parallel-starts.ts';
import { ParkedCalls, type ParkedLimits } from './parked-calls.ts';
import type { ReadOptions } from './read-resource.ts';
import { defaultPrincipal } from './running-call.ts';
import type { ClientInfo } from './session.ts';
import { callableTools, disabledReport, syncServer } from './sync-server.ts';
import { Watchdog } from './watchdog-client.ts';

/** How many configured ids an unknown one is answered with. */
const nearestShown = 3;

export interface UpstreamOptions {
  /** The enabled servers of the config. */
  servers: readonly ServerSpec[];
  /** Those that are not started, to be reported. */
  disabled?: readonly DisabledServer[];
  catalog: Pick<CatalogReader, 'servers' | 'generation' | 'tool' | 'tools'> & CatalogWriter;
  logger: Logger;
  /** Environment that every stdio server gets besides its configured `env`; holds no credentials. */
  baseEnv: Record<string, string>;
  limits?: Partial<UpstreamLimits>;
  /** Values that no message may show, besides those of env and headers. */
  secrets?: readonly string[];
  /** What servers are told about us. */
  clientInfo: ClientInfo;
  /** Where logins are kept. Default: in memory. */
  credentials?: CredentialStore;
  /** Gets the user's consent whenever a server asks for a login. Default: nobody is asked, and `login_required` says so. */
  authorizer?: Authorizer;
  /** True while hosts have to be told of changed tools, so that no server is stopped for being idle. Default never. */
  needsNotices?: () => boolean;
  /** Told of each process that is started. */
  onSpawn?: (server: string, command: string) => void;
  /** Bounds of the calls that wait for their users; for tests. */
  parkedLimits?: ParkedLimits;
}

/** The MCP clients of all configured servers. Nothing is started before it is asked for. */
export function createUpstream(options: UpstreamOptions): Upstream {
  return new ServerPool(options);
}

interface Listeners {
  serverState: Set<(state: ServerState) => void>;
  toolsChanged: Set<(report: IngestReport) => void>;
}

class ServerPool implements Upstream {
  readonly #connections = new Map<string, Connection>();
  readonly #disabled: readonly DisabledServer[];
  readonly #catalog: UpstreamOptions['catalog'];
  readonly #limits: UpstreamLimits;
  readonly #starts: ParallelStarts<IngestReport>;
  readonly #refresh: BackgroundRefresh;
  readonly #logger: Logger;
  readonly #watchdog: Watchdog;
  readonly #credentials: CredentialStore;
  readonly #parked: ParkedCalls<CallLane>;
  readonly #listeners: Listeners = { serverState: new Set(), toolsChanged: new Set() };
  #closing: Promise<void> | undefined;

  constructor(options: UpstreamOptions) {
    this.#disabled = options.disabled ?? [];
    this.#catalog = options.catalog;
    this.#limits = { ...defaultLimits, ...options.limits };
    const { parallelStarts, listMaxAgeMs } = this.#limits;
    const [connections, catalog] = [this.#connections, this.#catalog];
    this.#starts = new ParallelStarts(parallelStarts, () => this.#throwIfClosed());
    this.#refresh = new BackgroundRefresh({ connections, catalog, starts: this.#starts, listMaxAgeMs });
    this.#logger = options.logger;
    this.#credentials = options.credentials ?? new MemoryCredentialStore();
    this.#parked = new ParkedCalls(options.logger, options.parkedLimits);
    this.#watchdog = new Watchdog({ env: options.baseEnv, logger: options.logger });
    for (const spec of [...options.servers].sort((a, b) => a.position - b.position)) {
      this.#connections.set(spec.id, this.#connection(spec, options));
    }
  }

  async sync(serverIds?: readonly string[], onReport?: (report: SyncReport) => void): Promise<SyncReport[]> {
    this.#throwIfClosed();
    const ids = serverIds ?? [...this.#connections.keys(), ...this.#disabled.map(({ id }) => id)];
    for (const id of ids) this.#throwIfUnknown(id);
    return Promise.all(
      [...new Set(ids)].map(async (id) => {
        const connection = this.#connections.get(id);
        const report =
          connection === undefined
            ? disabledReport(id, this.#disabled)
            : await syncServer(connection, this.#starts, this.#catalog);
        onReport?.(report);
        return report;
      }),
    );
  }

  refreshInBackground(): void {
    if (this.#closing === undefined) this.#refresh.run();
  }

  async call(tool: Tool, args: JsonObject, options: UpstreamCallOptions = {}): Promise<CallOutcome> {
    this.#throwIfClosed();
    const { resume, principal = defaultPrincipal } = options;
    if (resume?.kind === 'parked') {
      const { call, keeper } = this.#parked.take(resume.handle, tool, principal);
      return keeper.goOn(call, options);
    }
    const connection = this.#connections.get(tool.serverId);
    if (connection === undefined) throw this.#notCallable(tool.serverId);
    return connection.call(tool, args, options);
  }

  abandon(resume: ResumePoint): void {
    if (resume.kind === 'parked') this.#parked.abandon(resume.handle);
  }

  async readResource(serverId: string, uri: string, options: ReadOptions = {}): Promise<ReadResourceResult> {
    this.#throwIfClosed();
    const connection = this.#connections.get(serverId);
    if (connection === undefined) throw this.#notCallable(serverId);
    return connection.readResource(uri, options);
  }

  states(): ServerState[] {
    const disabled = this.#disabled.map(({ id, problem }): ServerState => {
      return { id, state: 'disabled', ...(problem === undefined ? {} : { error: problem }) };
    });
    return [...[...this.#connections.values()].map(({ state }) => state), ...disabled];
  }

  async login(serverId: string, options: LoginOptions): Promise<LoginReport> {
    const connection = this.#loginAt(serverId);
    const list = async () => {
      await connection.list('sync');
      return callableTools(this.#catalog, serverId).size;
    };
    return logIn(connection.auth, list, options);
  }

  async logout(serverId: string): Promise<LogoutReport> {
    return { server: serverId, ...(await logOut(this.#loginAt(serverId).auth.context)) };
  }

  on<Event extends keyof Listeners>(event: Event, listener: Parameters<Listeners[Event]['add']>[0]): () => void {
    const listeners = this.#listeners[event] as Set<typeof listener>;
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closing ??= (async () => {
      this.#parked.close();
      await Promise.allSettled([...this.#connections.values()].map((connection) => connection.close()));
      await this.#watchdog.close();
    })();
    await this.#closing;
  }

  #connection(spec: ServerSpec, options: UpstreamOptions): Connection {
    const { catalog, logger, baseEnv, clientInfo, secrets = [], needsNotices = () => false } = options;
    const auth = this.#auth(spec, options);
    return new Connection(spec, {
      ...(auth === undefined ? {} : { auth }),
      catalog,
      baseEnv,
      clientInfo,
      secrets,
      needsNotices,
      parked: this.#parked,
      limits: this.#limits,
      messageMaxBytes: this.#limits.messageMaxBytes,
      watchdog: this.#watchdog,
      logger: withServer(logger, spec.id),
      onSpawn: (command) => options.onSpawn?.(spec.id, command),
      onState: (state) => this.#emit('serverState', state),
      onToolsChanged: (report) => this.#emit('toolsChanged', report),
    });
  }

  #auth({ id: serverId, transport }: ServerSpec, { logger, authorizer }: UpstreamOptions): ServerAuth | undefined {
    if (transport.kind !== 'http' || !mayLogIn(transport)) return undefined;
    const store = this.#credentials;
    return new ServerAuth({ serverId, transport, store, logger, ...(authorizer === undefined ? {} : { authorizer }) });
  }

  #emit<Event extends keyof Listeners>(event: Event, payload: Parameters<Parameters<Listeners[Event]['add']>[0]>[0]) {
    this.#refresh.lookAgain();
    for (const listener of this.#listeners[event] as Set<(value: typeof payload) => void>) {
      try {
        listener(payload);
      } catch (error) {
        this.#logger.error('A listener failed.', { event, error: String(error) });
      }
    }
  }

  #notCallable(id: string): ToolcribError {
    const disabled = this.#disabled.find((server) => server.id === id);
    const what = disabled === undefined ? 'is not configured' : 'is disabled';
    return fault('upstream_unavailable', `Server "${id}" ${what}, so its tools cannot be called.`, {
      serverId: id,
      mayHaveRun: false,
      ...(disabled?.problem === undefined ? {} : { reason: disabled.problem }),
    });
  }

  /** The connection of a server that can be logged in to. */
  #loginAt(serverId: string): Connection & { auth: ServerAuth } {
    this.#throwIfClosed();
    this.#throwIfUnknown(serverId);
    const connection = this.#connections.get(serverId);
    if (connection === undefined) throw this.#notCallable(serverId);
    if (hasAuth(connection)) return connection;
    throw loginUnsupported(connection.spec);
  }

  #throwIfUnknown(id: string): void {
    const known = [...this.#connections.keys(), ...this.#disabled.map((server) => server.id)];
    if (known.includes(id)) return;
    const nearest = [...known].sort((a, b) => distance(a, id) - distance(b, id)).slice(0, nearestShown);
    const hint = nearest.length === 0 ? 'No server is configured.' : `Nearest: ${nearest.join(', ')}.`;
    throw new ToolcribError('server_unknown', `There is no server "${id}" in the config. ${hint}`, {
      details: { server: id, nearest },
    });
  }

  #throwIfClosed(): void {
    if (this.#closing !== undefined) throw closedError();
  }
}

function closedError(): ToolcribError {
  return new ToolcribError('closed', 'toolcrib was closed.', { details: { mayHaveRun: false } });
}

function hasAuth(connection: Connection): connection is Connection & { auth: ServerAuth } {
  return connection.auth !== undefined;
}

/** Each line of one server's log names it. */
function withServer(logger: Logger, server: string): Logger {
  return {
    debug: (message, fields) => logger.debug(message, { server, ...fields }),
    info: (message, fields) => logger.info(message, { server, ...fields }),
    warn: (message, fields) => logger.warn(message, { server, ...fields }),
    error: (message, fields) => logger.error(message, { server, ...fields }),
  };
}
