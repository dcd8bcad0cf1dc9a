import type { ResolvedConfig } from '../config/index.ts';
import { ToolcribError } from '../errors/index.ts';
import type {
  AuditQuery,
  CallOptions,
  CatalogQuality,
  CatalogReader,
  CollisionOptions,
  JsonObject,
  Logger,
} from '../model/index.ts';
import type { Parts } from './compose.ts';

/** What tool owners ask for, on the live catalog. The folder is loaded at first use: no model's request needs it. */
export function catalogQuality(parts: Parts, config: ResolvedConfig, logger: Logger): CatalogQuality {
  const { catalog, searcher, embedder, audit } = parts;
  const { naming, qualityModel } = config;
  return {
    lint: async ({ server } = {}) => {
      const { lintCatalog } = await import('../quality/index.ts');
      checkServer(catalog, server);
      return lintCatalog(catalog, { nameMaxLength: naming.nameMaxLength, ...(server === undefined ? {} : { server }) });
    },
    collisions: async (options = {}) => collisions(parts, options),
    draftTasks: async ({ format = 'yaml', ...options } = {}) => {
      const { draftTasks } = await import('../quality/index.ts');
      return draftTasks(await collisions(parts, options), catalog, format);
    },
    evaluate: async (options) => {
      const [{ evaluate }, { copyCatalog }] = await Promise.all([
        import('../quality/index.ts'),
        import('./catalog-copy.ts'),
      ]);
      const { texts, embedded } = embedder === undefined ? noVectors : catalog.coverage(embedder.id);
      const deps = {
        catalog,
        searcher,
        vectorShare: texts === 0 ? 0 : embedded / texts,
        copy: () => copyCatalog(parts, config, logger),
        ...(qualityModel === undefined ? {} : { model: qualityModel }),
      };
      return evaluate(deps, options);
    },
    exercise: async (options) => {
      const { runExercise } = await import('../quality/index.ts');
      if (audit === undefined) throw notRecorded();
      const deps = {
        catalog,
        call: (name: string, args: JsonObject, callOptions: CallOptions) =>
          parts.router().dispatch(name, args, callOptions),
        audit: (query: AuditQuery) => catalog.audit.read(query),
      };
      return runExercise(deps, options);
    },
    exportView: async (options = {}) => {
      const [{ exportView }, { viewingRouter }] = await Promise.all([
        import('../quality/index.ts'),
        import('./viewing-router.ts'),
      ]);
      checkServer(catalog, options.server);
      const live = parts.router();
      const { mode = live.mode().mode } = options;
      const router = mode === live.mode().mode ? live : viewingRouter({ catalog, searcher, config, mode, logger });
      return exportView({ catalog, router }, options);
    },
    toBaseline: async (report) => {
      const { toBaseline } = await import('../quality/index.ts');
      return toBaseline(report);
    },
  };
}

function notRecorded(): ToolcribError {
  return new ToolcribError('config_invalid', 'Calls are not recorded, and an exercise is judged by the record.', {
    next: 'Remove "audit": { "enabled": false } from the config.',
  });
}

const noVectors = { texts: 0, embedded: 0 };

async function collisions({ catalog, embedder }: Parts, options: CollisionOptions) {
  const { findCollisions } = await import('../quality/index.ts');
  checkServer(catalog, options.server);
  const vectors = embedder === undefined ? {} : { vectors: { store: catalog, modelId: embedder.id } };
  return findCollisions({ catalog, ...vectors }, options);
}

function checkServer(catalog: CatalogReader, server: string | undefined): void {
  if (server === undefined || catalog.servers().some(({ id }) => id === server)) return;
  throw new ToolcribError('server_unknown', `There is no server ${JSON.stringify(server)} in the catalog.`);
}
