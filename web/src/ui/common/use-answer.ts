/** The state of a request to the server, for a component. */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Answer, Problem } from '../../data/fetch.ts';

type RequestState<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'loaded'; readonly key: string; readonly value: T }
  | { readonly state: 'failed'; readonly problem: Problem };

interface AnswerUse<T> {
  readonly request: ReadonlySignal<RequestState<T>>;
  readonly retry: () => void;
  /** Shows another value of the same key, such as one with more parts. */
  readonly replace: (value: T) => void;
}

const loading = { state: 'loading' } as const;

/**
 * Sends a request whenever the key changes, and aborts the one before. A `cached` answer is used instead of a request.
 * Until the next answer, `keepsShowing` decides whether the previous one stays.
 */
export function useAnswer<T>(
  key: string,
  ask: (signal: AbortSignal) => Promise<Answer<T>>,
  cached: T | undefined,
  keepsShowing: (shown: T) => boolean,
): AnswerUse<T> {
  const request = useSignal<RequestState<T>>(cached === undefined ? loading : { state: 'loaded', key, value: cached });
  const tries = useSignal(0);
  useEffect(() => {
    if (cached !== undefined) {
      request.value = { state: 'loaded', key, value: cached };
      return undefined;
    }
    const shown = request.peek();
    if (shown.state !== 'loaded' || !keepsShowing(shown.value)) request.value = loading;
    const ending = new AbortController();
    ask(ending.signal).then((answer) => {
      if (ending.signal.aborted) return;
      request.value = answer.ok
        ? { state: 'loaded', key, value: answer.value }
        : { state: 'failed', problem: answer.problem };
    });
    return () => ending.abort();
  }, [key, tries.value]);
  return {
    request,
    retry: () => {
      tries.value += 1;
    },
    replace: (value) => {
      request.value = { state: 'loaded', key, value };
    },
  };
}
