/** Components that are loaded when they are first rendered, and the state of requests to the server. */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { ComponentType, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Answer, Problem } from '../../data/fetch.ts';
import { message } from '../../messages/message.ts';
import { ProblemNotice } from './problem.tsx';

/** What is rendered while a component loads, or where that fails. */
interface Fallback {
  readonly Loading: ComponentType;
  readonly Failed: ComponentType;
}

function lazilyWith<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { Loading, Failed }: Fallback,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props): VNode {
    const state = useSignal<'loading' | 'loaded' | 'failed'>(loaded === undefined ? 'loading' : 'loaded');
    const start = (): void => {
      if (loaded !== undefined) return;
      load().then(
        (component) => {
          loaded = component;
          state.value = 'loaded';
        },
        () => {
          state.value = 'failed';
        },
      );
    };
    useEffect(start, []);
    // Read first, so that the component is rendered again when it has loaded.
    const now = state.value;
    if (loaded !== undefined) {
      const Loaded = loaded;
      return <Loaded {...props} />;
    }
    return now === 'failed' ? <Failed /> : <Loading />;
  };
}

const visible: Fallback = {
  Loading: () => (
    <p class="loading" role="status">
      {message('loading')}
    </p>
  ),
  Failed: () => <ProblemNotice problem="unreachable" onRetry={() => location.reload()} />,
};

const invisible: Fallback = { Loading: () => null, Failed: () => null };

/** A component that shows that it is loading, or that this failed. */
export const lazily = <Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> =>
  lazilyWith(load, visible);

/** A component of which nothing is shown until it has loaded. */
export const lazilyQuiet = <Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> =>
  lazilyWith(load, invisible);

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
