/**
 * Texts of the languages that are loaded on demand, by the English text: one that has been changed there is shown in English until it is
 * translated again.
 */
import { signal } from '@preact/signals';

/** A text, or of one with a count its form for each number of the language (CLDR). */
type Translation = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

export type Translations = Readonly<Record<string, Translation>>;

/** Those of the language that is shown; empty for one that has its texts beside the English ones. */
export const translations = signal<Translations>({});

/** The translation of an English text, in the form for a number; undefined where there is none. */
export function translationOf(english: string, form: Intl.LDMLPluralRule = 'other'): string | undefined {
  const found = Object.hasOwn(translations.value, english) ? translations.value[english] : undefined;
  return typeof found === 'object' ? (found[form] ?? found.other) : found;
}
