/** An answer of the server as a part of the page waits for it, has it, or is told why not. */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Answer, Problem } from '../../data/ask.ts';

export type Awaited<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'here'; readonly key: string; readonly value: T }
  | { readonly state: 'failed'; readonly problem: Problem };

export interface AnswerUse<T> {
  readonly awaited: ReadonlySignal<Awaited<T>>;
  readonly retry: () => void;
}

const waiting = { state: 'loading' } as const;

/**
 * Asks anew whenever the key changes, and gives up the question before. `known` is shown at once where there is
 * something of the same key; what is shown stays until the next answer comes, if `keepsShowing` says so.
 */
export function useAnswer<T>(
  key: string,
  ask: (signal: AbortSignal) => Promise<Answer<T>>,
  known: T | undefined,
  keepsShowing: (shown: T) => boolean,
): AnswerUse<T> {
  const awaited = useSignal<Awaited<T>>(known === undefined ? waiting : { state: 'here', key, value: known });
  const tries = useSignal(0);
  useEffect(() => {
    if (known !== undefined) {
      awaited.value = { state: 'here', key, value: known };
      return undefined;
    }
    const shown = awaited.peek();
    if (shown.state !== 'here' || !keepsShowing(shown.value)) awaited.value = waiting;
    const ending = new AbortController();
    ask(ending.signal).then((answer) => {
      if (ending.signal.aborted) return;
      awaited.value = answer.ok
        ? { state: 'here', key, value: answer.value }
        : { state: 'failed', problem: answer.problem };
    });
    return () => ending.abort();
  }, [key, tries.value]);
  return {
    awaited,
    retry: () => {
      tries.value += 1;
    },
  };
}
