/** Members of manifests of both versions, and their texts as plain text. */
import type { LanguageMap } from '../../../../src/core/image/folder/folder-metadata.ts';
import { isFiniteNumber, isObject, listOf, memberOf, textOf } from '../json-value.ts';

/** Bounds on what is read of a manifest: more than any real one has. */
export const limits = {
  address: 4000,
  text: 50_000,
  languages: 60,
  items: 1000,
  pages: 50_000,
  layers: 200,
  ranges: 20_000,
  depth: 24,
};

/** The first items of a list; a single value counts as a list of one. */
export const itemsOf = (value: unknown, most = limits.items): readonly unknown[] => listOf(value).slice(0, most);

/** The first member of these names that is there. */
export const firstOf = (value: unknown, ...names: readonly string[]): unknown =>
  names.map((name) => memberOf(value, name)).find((member) => member !== undefined && member !== null);

/** The id of a resource, or of a reference that is only an id; empty for none. */
export function idOf(value: unknown): string {
  const id = typeof value === 'string' ? value : textOf(firstOf(value, 'id', '@id'));
  return id.length <= limits.address ? id : '';
}

/** The type without its prefix: `sc:Canvas` is `Canvas`. */
export const typeOf = (value: unknown): string => textOf(firstOf(value, 'type', '@type')).replace(/^.*[:/#]/, '');

/** An address of the web; undefined for anything else, such as a script. */
export function webAddress(value: unknown): string | undefined {
  const address = idOf(value).trim();
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : undefined;
}

/** A length in pixels or units of a canvas that can be computed with. */
export const lengthOf = (value: unknown): number | undefined =>
  isFiniteNumber(value) && value >= 1 && value <= 1e7 ? value : undefined;

const paragraph = (value: unknown): string => {
  const text = typeof value === 'number' ? String(value) : textOf(value);
  return plainText(text.slice(0, limits.text));
};

const paragraphsOf = (value: unknown): readonly string[] =>
  itemsOf(value)
    .map(paragraph)
    .filter((text) => text !== '');

type Localized = readonly [tag: string, paragraphs: readonly string[]];

function localized(value: unknown): readonly Localized[] {
  if (Array.isArray(value)) return itemsOf(value).flatMap((item) => (Array.isArray(item) ? [] : localized(item)));
  if (!isObject(value)) return [['none', paragraphsOf(value)]];
  if ('@value' in value) return [[textOf(value['@language']) || 'none', paragraphsOf(value['@value'])]];
  return Object.entries(value)
    .slice(0, limits.languages)
    .map(([tag, texts]) => [tag === '@none' ? 'none' : tag, paragraphsOf(texts)]);
}

/** A text of either version by language, as plain text: a string, a language map, or values with a language. */
export function textsOf(value: unknown): LanguageMap {
  const merged = new Map<string, string[]>();
  for (const [tag, paragraphs] of localized(value)) {
    if (paragraphs.length > 0) merged.set(tag, [...(merged.get(tag) ?? []), ...paragraphs]);
  }
  return Object.fromEntries(merged);
}

/** The names of behaviors, which version 2 calls hints. */
export const behaviorsOf = (value: unknown): readonly string[] =>
  itemsOf(firstOf(value, 'behavior', 'viewingHint'), 20)
    .map(textOf)
    .filter((name) => /^[a-z-]{1,40}$/.test(name));

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function characterOf(whole: string, name: string): string {
  if (Object.hasOwn(entities, name)) return entities[name] ?? whole;
  const number = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return name.startsWith('#') && number > 0 && number <= 0x10ffff ? String.fromCodePoint(number) : whole;
}

/** A link keeps its address, where that is of the web and the text of the link does not say it. */
const writtenLink = (_whole: string, quote: string | undefined, bare: string | undefined, text: string): string => {
  const address = (quote ?? bare ?? '').trim();
  // What is inside may have markup of its own, such as a picture.
  const said = text.replace(/<[^<>]*>/g, '').trim();
  const isSaid = said.includes(address.replace(/^https?:\/\//, '').replace(/\/$/, ''));
  return /^https?:\/\//i.test(address) && !isSaid ? `${said} (${address})` : said;
};

const links =
  /<a\s(?:[^<>]*?\s)?href\s*=\s*(?:["']([^"'<>]*)["']|([^\s"'<>]+))[^<>]*>((?:[^<]|<(?!\/?a[\s>]))*)<\/a\s*>/gi;

/** What begins a part that is never text, and what ends it. */
const hiddenParts: readonly (readonly [start: RegExp, end: string])[] = [
  [/<!--/, '-->'],
  [/<script\b/i, '</script'],
  [/<style\b/i, '</style'],
];

/** Removes parts of one kind, in a time that grows with the length alone; one that never ends goes to the end, as in browsers. */
function withoutPart(html: string, [start, end]: (typeof hiddenParts)[number]): string {
  const [first = '', ...others] = html.split(new RegExp(start, 'gi'));
  return others.reduce((text, part) => {
    const at = part.toLowerCase().indexOf(end);
    return at < 0 ? text : text + part.slice(at + end.length).replace(/^\s*>/, '');
  }, first);
}

/** The text of an HTML fragment with its line breaks and the addresses of its links. */
export const withoutTags = (html: string): string =>
  hiddenParts
    .reduce(withoutPart, html)
    .replace(links, writtenLink)
    .replace(/<br\s*\/?>|<\/p>\s*(?=<p)|<\/(?:div|li)>/gi, '\n')
    .replace(/<\/?[a-z!][^<>]*>/gi, '')
    .replace(/&(#x?[0-9a-f]+|\w+);/gi, characterOf);

const hasMarkup = /<\/?[a-z][^<>]*>|&(?:#x?[0-9a-f]+|amp|lt|gt|quot|apos|nbsp);/i;

/** The plain text of a value that may be HTML. */
export const plainText = (text: string): string => (hasMarkup.test(text) ? withoutTags(text) : text).trim();
