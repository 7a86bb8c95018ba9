/** The name of the library in the reader's language, in headers and titles. */
import { textFor } from '../../../../src/core/image/folder/languages.ts';
import { pageSettings } from '../../data/page-settings.ts';
import { language } from '../../messages/message.ts';

/** Empty where the library has no name. */
export const libraryName = (): string => textFor(pageSettings.name, [language.value]).join(' ');

/** The name of the library, or else that of the program. */
export const siteName = (): string => libraryName() || 'Lectern';

/** The title of the document: what the page shows, without what is empty or said twice, and the site. */
export const documentTitle = (...parts: readonly string[]): string =>
  [...new Set([...parts, siteName()])].filter((part) => part !== '').join(' – ');
