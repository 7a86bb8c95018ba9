/** Labels of a manifest and spans of time, as the reader reads them. */
import type { LanguageMap } from '../../../../src/core/image/folder/folder-metadata.ts';
import { language } from '../../messages/messages.ts';
import { formatClock } from '../../model/media/time.ts';
import { readerText } from '../../state/reader-languages.ts';

/** A label in the reader's language; empty where there is none. */
export const shown = (label: LanguageMap): string => readerText(label).join(' ');

/** The name of a language in the reader's language, such as “Italian”; the tag itself where it has none. */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames([language.value], { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

export const spanText = (from: number, to: number | undefined): string =>
  to === undefined ? formatClock(from) : `${formatClock(from)}–${formatClock(to)}`;
