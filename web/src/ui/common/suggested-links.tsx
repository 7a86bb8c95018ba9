/** Where the reader may go from something that is not there: the nearest folder around it, and the library. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { FolderListing } from '../../../../src/image/folder/folder-listing.ts';
import { splitPage } from '../../../../src/image/model/identifier.ts';
import { askFolder } from '../../data/folder.ts';
import { language, message } from '../../messages/message.ts';
import { folderRoute } from '../../model/routes.ts';
import { shownNumber } from './counts.ts';
import { RouteLink } from './route-link.tsx';

/** The path itself and those around it, the library itself left out. */
function pathsUpward(path: string): readonly string[] {
  const names = splitPage(path).file.split('/').filter(Boolean);
  return names.map((_, index) => names.slice(0, names.length - index).join('/'));
}

/** The first folder there is, from a path upward. */
async function nearestFolder(path: string, signal: AbortSignal): Promise<FolderListing | undefined> {
  for (const one of pathsUpward(path)) {
    const answer = await askFolder(one, language.peek(), { count: 1 }, signal);
    if (answer.ok) return answer.value.path === '' ? undefined : answer.value;
    if (answer.problem !== 'not-found') return undefined;
  }
  return undefined;
}

const imagesIn = ({ totalImages }: FolderListing): string =>
  totalImages === 1 ? message('folder-has-one') : message('folder-has', { count: shownNumber(totalImages) });

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
      {/* The address names the folder itself, and a page that it does not have. */}
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
