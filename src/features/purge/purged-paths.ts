/** Which paths and addresses are purged where a path of the library, or what lies at a path of a storage, has changed. */
import type { CoreSettings } from '../../config/core-settings.ts';
import { encodePath } from '../../core/image/addresses/folder-address.ts';
import { formatIdentifierSegment } from '../../core/image/addresses/iiif-addresses.ts';
import { isImageName } from '../../core/image/model/formats.ts';
import { formatIdentifier, type Identifier, parseIdentifier } from '../../core/image/model/identifier.ts';
import type { Library } from '../../core/library/library.ts';

/** All paths under which the library shows what one of them names, with the extensions that it may lack. */
export async function allPathsOf(library: Pick<Library, 'pathsOf'>, asked: string): Promise<readonly string[]> {
  const identifier = parseIdentifier(asked);
  if (identifier === undefined) return [];
  // Where a disk does not answer, what can be told without it is purged.
  const paths = await library.pathsOf(identifier).catch((): readonly Identifier[] => []);
  return [...new Set([identifier, ...paths].map(formatIdentifier))];
}

/** The paths of the library at which something in its folders is shown, by its path in the storage. */
export function pathsOfStored(stored: string, { folders, virtualFolders }: CoreSettings['library']): readonly string[] {
  const roots = [...folders.map((folder) => ({ link: '', folder })), ...virtualFolders];
  return roots.flatMap(({ link, folder }) => {
    const root = folder.replace(/\/+$/, '');
    if (stored !== root && !stored.startsWith(`${root}/`)) return [];
    const parts = `${link}/${stored.slice(root.length)}`.split('/');
    return [parts.filter((name) => name !== '').join('/')];
  });
}

/** The addresses of the documents about a path, from which viewers learn of everything else. */
export function documentAddresses(
  of: string,
  { contextPath, slash }: { contextPath: string; slash: string },
): readonly string[] {
  const isImage = isImageName(of.split('/').at(-1) ?? '');
  const folder = isImage ? of.split('/').slice(0, -1).join('/') : of;
  const around = folder === '' ? '' : `${encodePath(folder)}/`;
  const documents = [3, 2].flatMap((version) => [
    ...(isImage ? [`/iiif/${version}/${formatIdentifierSegment(of, slash)}/info.json`] : []),
    ...['manifest', 'collection'].map((name) => `/presentation/${version}/${around}${name}.json`),
  ]);
  return documents.map((address) => contextPath + address);
}
