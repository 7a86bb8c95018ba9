/** Reads texts, texts in several languages, addresses and words of a closed list from a metadata file. */
import type { LanguageMap } from '../../image/folder/folder-metadata.ts';
import { enumerate, quote, suggestion } from '../../text/nearest.ts';
import { type Faults, itemsOf, kindName, type MapValue, type TextValue, type Value } from './fields.ts';

/** Whether a key has the form of a BCP 47 language tag; `none` means that no language is given. */
const isLanguage = (tag: string): boolean => tag === 'none' || /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,8}$/i.test(tag);

export function readOneText(value: Value, name: string, faults: Faults): TextValue | undefined {
  if (value.kind === 'text') return value;
  if (value.kind !== 'empty') faults.add(value.line, `${quote(name)} must be one text, not ${kindName(value)}.`);
  return undefined;
}

export function readTexts(value: Value, name: string, faults: Faults): readonly TextValue[] {
  return itemsOf(value).flatMap((item) => {
    if (item.kind === 'text') return [item];
    faults.add(item.line, `${quote(name)} must be a text or a list of texts; this is ${kindName(item)}.`);
    return [];
  });
}

const plain = (texts: readonly TextValue[]): readonly string[] => texts.map(({ text }) => text);

function readLanguageMap(map: MapValue, name: string, faults: Faults): LanguageMap | undefined {
  const byLanguage = new Map<string, readonly string[]>();
  for (const { key, line, value } of map.entries) {
    const texts = isLanguage(key) ? plain(readTexts(value, `${name}, ${key}`, faults)) : [];
    if (!isLanguage(key)) {
      faults.add(
        line,
        `${quote(key)} is not a language; write ${quote(name)} as a text, or by languages such as en, de.`,
      );
    } else if (byLanguage.has(key)) {
      faults.add(line, `${quote(name)} has the language ${quote(key)} twice; the first one counts.`);
    } else if (texts.length > 0) {
      byLanguage.set(key, texts);
    }
  }
  return byLanguage.size > 0 ? Object.fromEntries(byLanguage) : undefined;
}

/** A text, a list of texts, or a map from languages to these; undefined where none of it is usable. */
export function readLanguages(value: Value, name: string, faults: Faults): LanguageMap | undefined {
  if (value.kind === 'map') return readLanguageMap(value, name, faults);
  const texts = readTexts(value, name, faults);
  return texts.length > 0 ? { none: plain(texts) } : undefined;
}

const isWebAddress = (text: string): boolean => /^https?:\/\/[^\s<>"{}|\\^`]+$/i.test(text) && URL.canParse(text);

/** A web address; `example` is one to show in the fault. */
export function readAddress(value: Value, name: string, example: string, faults: Faults): string | undefined {
  const address = readOneText(value, name, faults);
  if (address === undefined) return undefined;
  if (isWebAddress(address.text)) return address.text;
  faults.add(address.line, `${quote(name)} must be a web address such as ${example}, not ${quote(address.text)}.`);
  return undefined;
}

export function readWord<Word extends string>(
  { text, line }: TextValue,
  name: string,
  words: readonly Word[],
  faults: Faults,
): Word | undefined {
  const word = words.find((one) => one === text.toLowerCase());
  if (word !== undefined) return word;
  faults.add(line, () => {
    const hint = suggestion(text, words, quote) || `; it may be ${enumerate(words, 'or')}.`;
    return `${quote(text)} is no ${name}${hint}`;
  });
  return undefined;
}
