/** Components that are loaded when they are first rendered. */
import { useSignal } from '@preact/signals';
import type { ComponentType, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
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
