import { asFileFault } from './database.ts';

/**
 * The same object, whose methods throw faults of the catalog file as `catalog_corrupt`, `catalog_locked` and
 * `catalog_unwritable` in place of what SQLite throws.
 */
export function explainFaults<T extends object>(target: T, path: string): T {
  return new Proxy(target, {
    get: (_, key) => {
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? explained(value.bind(target), path) : value;
    },
  });
}

type Method = (...args: unknown[]) => unknown;

function explained(method: Method, path: string): Method {
  return (...args) => {
    try {
      return method(...args);
    } catch (error) {
      throw asFileFault(error, path);
    }
  };
}
