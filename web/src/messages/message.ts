/** Looks up texts in the reader's language. */
import { signal } from '@preact/signals';
import { type Language, languages, type MessageKey, messages } from './messages.ts';

const isLanguage = (tag: string): tag is Language => Object.hasOwn(languages, tag);

/** The first of the reader's languages with texts; English if there is none. */
export const languageOf = (preferred: readonly string[]): Language =>
  preferred.map((tag) => tag.toLowerCase().split('-')[0] ?? '').find(isLanguage) ?? 'en';

export const language = signal<Language>('en');

export const isMessageKey = (text: string): text is MessageKey => Object.hasOwn(messages, text);

type WithoutOne<Key> = Key extends `${infer Base}-one` ? Base : never;

/** The messages with a count: those that have a form for the singular beside them, which ends in `-one`. */
type CountedKey = Extract<WithoutOne<MessageKey>, MessageKey>;

/** A text with its count, in the number that the reader's language has for it: zero takes the singular in French. */
export function countedMessage(key: CountedKey, count: number): string {
  const form = new Intl.PluralRules(language.value).select(count) === 'one' ? (`${key}-one` as const) : key;
  return message(form, { count: count.toLocaleString(language.value) });
}

/** A text with its values. Components that call it are rendered again when the language changes. */
export function message(key: MessageKey, values: Readonly<Record<string, string | number>> = {}): string {
  return messages[key][language.value].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
