import { loadConfig, type ResolvedConfig, resolveOptions } from '../config/index.ts';
import { isToolcribError } from '../errors/index.ts';

/** The config named, or the user's own. A catalog that was filled through the library has none; naming it is enough. */
export function userConfig(path: string | undefined, catalogPath: string | undefined): ResolvedConfig {
  try {
    return loadConfig({
      ...(path === undefined ? {} : { path }),
      ...(catalogPath === undefined ? {} : { catalogPath }),
    });
  } catch (error) {
    const hasOnlyCatalog = path === undefined && catalogPath !== undefined;
    if (hasOnlyCatalog && isToolcribError(error, 'config_not_found')) return resolveOptions({ catalog: catalogPath });
    throw error;
  }
}
