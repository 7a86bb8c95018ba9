/** Parts of the page that are loaded when they are first shown. */
import { useSignal } from '@preact/signals';
import type { ComponentType, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { message } from '../messages/message.ts';
import { ProblemNotice } from './problem.tsx';

/** A component that loads itself. The page says so while it comes, and where it does not come. */
export function lazily<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
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
    if (now === 'failed') return <ProblemNotice problem="unreachable" onRetry={() => location.reload()} />;
    return (
      <p class="loading" role="status">
        {message('loading')}
      </p>
    );
  };
}
