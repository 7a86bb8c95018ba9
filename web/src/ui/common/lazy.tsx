/** Parts of the page that are loaded when they are first shown. */
import { useSignal } from '@preact/signals';
import type { ComponentType, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { ProblemNotice } from './problem.tsx';

/** What stands for a component that is not here yet, or does not come. */
interface Meanwhile {
  readonly Loading: ComponentType;
  readonly Failed: ComponentType;
}

function lazilyWith<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { Loading, Failed }: Meanwhile,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props): VNode {
    const state = useSignal<'loading' | 'here' | 'failed'>(loaded === undefined ? 'loading' : 'here');
    const begin = (): void => {
      if (loaded !== undefined) return;
      load().then(
        (component) => {
          loaded = component;
          state.value = 'here';
        },
        () => {
          state.value = 'failed';
        },
      );
    };
    useEffect(begin, []);
    // Read first, so that the component is drawn anew when the part has come.
    const now = state.value;
    if (loaded !== undefined) {
      const Loaded = loaded;
      return <Loaded {...props} />;
    }
    return now === 'failed' ? <Failed /> : <Loading />;
  };
}

const spoken: Meanwhile = {
  Loading: () => (
    <p class="loading" role="status">
      {message('loading')}
    </p>
  ),
  Failed: () => <ProblemNotice problem="unreachable" onRetry={() => location.reload()} />,
};

const silent: Meanwhile = { Loading: () => null, Failed: () => null };

/** A component that loads itself. The page says so while it comes, and where it does not come. */
export const lazily = <Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> =>
  lazilyWith(load, spoken);

/** A component that loads itself, of which nothing is seen before. */
export const lazilyQuiet = <Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> =>
  lazilyWith(load, silent);
