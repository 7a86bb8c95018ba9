/** What a page or a part says where something failed, with the links from a page that was not found. */

import { useSignal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { FolderListing } from '../../../../src/core/image/folder/folder-listing.ts';
import { splitPage } from '../../../../src/core/image/model/identifier.ts';
import { fetchFolder, type Problem } from '../../data/fetch.ts';
import { countedMessage, language, message } from '../../messages/message.ts';
import type { MessageKey } from '../../messages/messages.ts';
import { folderRoute } from '../../model/address/routes.ts';
import { Button, RouteLink } from './button.tsx';

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

/** The problem in a few words. */
export const problemTitle = (problem: Exclude<Problem, 'aborted'>): string => message(problemTexts[problem][0]);

interface ProblemNoticeProps {
  readonly problem: Problem;
  readonly onRetry?: () => void;
  /** Whether nothing else is on the page, so that this has its title. */
  readonly isWhole?: boolean;
  readonly children?: ComponentChildren;
}

export function ProblemNotice({ problem, onRetry, isWhole = false, children }: ProblemNoticeProps): VNode | null {
  if (problem === 'aborted') return null;
  const [what, todo] = problemTexts[problem];
  const Title = isWhole ? 'h1' : 'h2';
  return (
    <div class="problem" role="alert">
      <Title>{message(what)}</Title>
      <p>{message(todo)}</p>
      {children}
      {onRetry && <Button onClick={onRetry}>{message('try-again')}</Button>}
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
