/** Components that are loaded when they are first rendered, requests to the server, and notices where they fail. */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { ComponentChildren, ComponentType, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { FolderListing } from '../../../../src/core/image/folder/folder-listing.ts';
import { splitPage } from '../../../../src/core/image/model/identifier.ts';
import { type Answer, fetchFolder, type Problem } from '../../data/fetch.ts';
import { pageSettings } from '../../data/page-settings.ts';
import { countedMessage, language, type MessageKey, message } from '../../messages/messages.ts';
import { folderRoute } from '../../model/address/routes.ts';
import { Button, RouteLink } from './button.tsx';
import { SignInLink } from './sign-in-link.tsx';

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

type Texts = readonly [what: MessageKey, todo: MessageKey];

const problemTexts: Readonly<Record<Exclude<Problem, 'aborted'>, Texts>> = {
  'login-needed': ['problem-login', 'problem-login-todo'],
  denied: ['problem-denied', 'problem-denied-todo'],
  'not-found': ['problem-not-found', 'problem-not-found-todo'],
  unreadable: ['problem-unreadable', 'problem-unreadable-todo'],
  busy: ['problem-busy', 'problem-busy-todo'],
  failed: ['problem-failed', 'problem-failed-todo'],
  unreachable: ['problem-unreachable', 'problem-unreachable-todo'],
  'refused-host': ['problem-refused-host', 'problem-refused-host-todo'],
  unshared: ['problem-unshared', 'problem-unshared-todo'],
  'no-manifest': ['problem-no-manifest', 'problem-no-manifest-todo'],
  collection: ['problem-collection', 'problem-collection-todo'],
  'no-pages': ['problem-no-pages', 'problem-no-pages-todo'],
  'too-large': ['problem-too-large', 'problem-too-large-todo'],
  'no-image': ['problem-no-image', 'problem-no-image-todo'],
  'no-content-state': ['problem-no-content-state', 'problem-no-content-state-todo'],
};

const signInTexts: Texts = ['problem-login', 'problem-sign-in-todo'];

export const problemTitle = (problem: Exclude<Problem, 'aborted'>): string => message(problemTexts[problem][0]);

interface ProblemNoticeProps {
  readonly problem: Problem;
  readonly onRetry?: () => void;
  /** Whether nothing else is on the page, so that this has its title. */
  readonly isWhole?: boolean;
  readonly children?: ComponentChildren;
}

/** What a page or a part says where something failed, with the links from a page that was not found. */
export function ProblemNotice({ problem, onRetry, isWhole = false, children }: ProblemNoticeProps): VNode | null {
  if (problem === 'aborted') return null;
  const canSignIn = problem === 'login-needed' && pageSettings.signsIn;
  const [what, todo] = canSignIn ? signInTexts : problemTexts[problem];
  const Title = isWhole ? 'h1' : 'h2';
  return (
    <div class="problem" role="alert">
      <Title>{message(what)}</Title>
      <p>{message(todo)}</p>
      {children}
      {canSignIn && <SignInLink />}
      {onRetry && !canSignIn && <Button onClick={onRetry}>{message('try-again')}</Button>}
    </div>
  );
}

/** The path and its parents, without the root. */
function pathsUpward(path: string): readonly string[] {
  const names = splitPage(path).file.split('/').filter(Boolean);
  return names.map((_, index) => names.slice(0, names.length - index).join('/'));
}

/** The first folder that exists, from a path upward. */
async function nearestFolder(path: string, signal: AbortSignal): Promise<FolderListing | undefined> {
  for (const one of pathsUpward(path)) {
    const answer = await fetchFolder(one, language.peek(), { count: 1 }, signal);
    if (answer.ok) return answer.value.path === '' ? undefined : answer.value;
    if (answer.problem !== 'not-found') return undefined;
  }
  return undefined;
}

const imagesIn = ({ totalImages }: FolderListing): string => countedMessage('folder-has', totalImages);

/** Links from a page that was not found: to the nearest folder above it, and to the library. */
export function SuggestedLinks({ path }: { readonly path: string }): VNode {
  const folder = useSignal<FolderListing | undefined>(undefined);
  useEffect(() => {
    const ending = new AbortController();
    folder.value = undefined;
    void nearestFolder(path, ending.signal).then((found) => {
      if (!ending.signal.aborted) folder.value = found;
    });
    return () => ending.abort();
  }, [path]);
  const found = folder.value;
  return (
    <>
      {/* The address names a page that the folder does not have. */}
      {found && found.path === path && <p>{imagesIn(found)}</p>}
      <p class="suggested-links">
        {found && (
          <RouteLink class="button" to={folderRoute(found.path)}>
            {message('to-folder', { folder: found.title || found.path })}
          </RouteLink>
        )}
        <RouteLink class="button" to={folderRoute('')}>
          {message('to-library')}
        </RouteLink>
      </p>
    </>
  );
}
