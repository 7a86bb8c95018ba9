/** Links from a page that was not found: to the nearest folder above it, and to the library. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { FolderListing } from '../../../../src/core/image/folder/folder-listing.ts';
import { splitPage } from '../../../../src/core/image/model/identifier.ts';
import { fetchFolder } from '../../data/fetch.ts';
import { countedMessage, language, message } from '../../messages/message.ts';
import { folderRoute } from '../../model/address/routes.ts';
import { RouteLink } from './route-link.tsx';

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
