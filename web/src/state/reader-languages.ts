/** The languages in which the reader wants texts of manifests. */
import { type LanguageMap, parseLanguages, textFor } from '../../../src/core/image/folder/folder-metadata.ts';
import { language } from '../messages/messages.ts';
import { languageChoice } from './stored-preferences.ts';

/**
 * In lower case, the most wanted first: that of the room where the reader has chosen it, and those of the browser, which may be ones that
 * the room does not have.
 */
export function readerLanguages(): readonly string[] {
  const browser = parseLanguages(navigator.languages.join(','));
  return languageChoice.value === 'system' ? [...browser, language.value] : [language.value, ...browser];
}

/** The paragraphs of a text in the reader’s language. */
export const readerText = (text: LanguageMap): readonly string[] => textFor(text, readerLanguages());
