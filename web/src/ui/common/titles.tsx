/** The names of the library, of folders and of files, as headers, titles and lists show them. */

import { Fragment, type VNode } from 'preact';
import type { FolderLink } from '../../../../src/core/image/folder/folder-listing.ts';
import { textFor } from '../../../../src/core/image/folder/languages.ts';
import { pageSettings } from '../../data/page-settings.ts';
import { language, message } from '../../messages/message.ts';
import { namePieces } from '../../model/text/labels.ts';

/** Empty where the library has no name. */
const libraryName = (): string => textFor(pageSettings.name, [language.value]).join(' ');

/** The name of the library, or else that of the program. */
export const siteName = (): string => libraryName() || 'Lectern';

/** The title of the document: what the page shows, without what is empty or said twice, and the site. */
export const documentTitle = (...parts: readonly string[]): string =>
  [...new Set([...parts, siteName()])].filter((part) => part !== '').join(' – ');

/** The root is called by the library's name, and without one by its title. */
export const titleOf = ({ path, title }: FolderLink): string =>
  (path === '' ? libraryName() : '') || title || path || message('library');

/** A name that breaks into lines between its parts, not in the middle of them. */
export const BreakableName = ({ name }: { readonly name: string }): VNode => (
  <>
    {namePieces(name).map((piece, index) => (
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {piece}
      </Fragment>
    ))}
  </>
);
