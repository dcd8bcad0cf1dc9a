import { asFileFault } from './database.ts';

type Method = (...args: unknown[]) => unknown;

/**
 * The same object, whose methods throw or reject with `catalog_corrupt`, `catalog_locked` and `catalog_unwritable` where SQLite
 * finds fault with the file.
 */
export function explainFaults<T extends object>(target: T, path: string): T {
  return new Proxy(target, {
    get: (_, key) => {
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? explained(value.bind(target), path) : value;
    },
  });
}

function explained(method: Method, path: string): Method {
  const explain = (error: unknown) => {
    throw asFileFault(error, path);
  };
  return (...args) => {
    try {
      const result = method(...args);
      return result instanceof Promise ? result.catch(explain) : result;
    } catch (error) {
      return explain(error);
    }
  };
}
