/** Plain text of HTML: nothing that others wrote is ever shown as HTML. */

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function characterOf(whole: string, name: string): string {
  if (Object.hasOwn(entities, name)) return entities[name] ?? whole;
  const number = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return name.startsWith('#') && number > 0 && number <= 0x10ffff ? String.fromCodePoint(number) : whole;
}

/** A link keeps its address, where that is of the web and the text of the link does not say it. */
const writtenLink = (_whole: string, quote: string | undefined, bare: string | undefined, text: string): string => {
  const address = (quote ?? bare ?? '').trim();
  const isSaid = text.includes(address.replace(/^https?:\/\//, '').replace(/\/$/, ''));
  return /^https?:\/\//i.test(address) && !isSaid ? `${text} (${address})` : text;
};

const links = /<a\s(?:[^<>]*?\s)?href\s*=\s*(?:["']([^"'<>]*)["']|([^\s"'<>]+))[^<>]*>([^<>]*)<\/a\s*>/gi;

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
