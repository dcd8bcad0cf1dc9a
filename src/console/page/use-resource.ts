import { useEffect, useRef, useState } from 'preact/hooks';
import type { Topic } from '../shapes.ts';
import { ApiError, get } from './api.ts';
import { changes } from './live.ts';

export interface Resource<Value> {
  /** The last one that came; stays while a newer one is on its way. */
  value: Value | undefined;
  fault: ApiError['fault'] | undefined;
  reload(): void;
}

/** Bursts of changes are read once. */
const settleMs = 150;

/** Reads from the API, again whenever the question or one of the topics changes. No path: nothing is read. */
export function useResource<Value>(
  path: string | undefined,
  query: Record<string, string> = {},
  topics: readonly Topic[] = [],
): Resource<Value> {
  const [state, setState] = useState<Pick<Resource<Value>, 'value' | 'fault'>>({ value: undefined, fault: undefined });
  const [asked, setAsked] = useState(0);
  const question = JSON.stringify([path, query]);
  const seen = useRef(question);
  const changed = topics.reduce((sum, topic) => sum + changes.value[topic], 0);

  useEffect(() => {
    if (path === undefined) return setState({ value: undefined, fault: undefined });
    const abort = new AbortController();
    const isSame = seen.current === question && state.value !== undefined;
    seen.current = question;
    const timer = setTimeout(read, isSame ? settleMs : 0);
    function read(): void {
      get<Value>(path as string, query, abort.signal)
        .then((value) => setState({ value, fault: undefined }))
        .catch((error: unknown) => {
          if (error instanceof ApiError)
            setState(({ value }) => ({ value: isSame ? value : undefined, fault: error.fault }));
        });
    }
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [question, changed, asked]);

  return { ...state, reload: () => setAsked((count) => count + 1) };
}
