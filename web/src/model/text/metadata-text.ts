/** Texts of metadata: their links, rights statements, and short labels. */

export interface TextPiece {
  readonly text: string;
  readonly href?: string;
}

/** The schemes that a link may have; `javascript:` and the like would run with the rights of the page. */
const allowedSchemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** The address of a link, where its scheme is allowed; relative addresses mean nothing in metadata. */
export function allowedAddress(address: string): string | undefined {
  const trimmed = address.trim();
  return URL.canParse(trimmed) && allowedSchemes.has(new URL(trimmed).protocol) ? trimmed : undefined;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

function characterOf(code: number): string {
  return code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff)
    ? String.fromCodePoint(code)
    : '\uFFFD';
}

const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,5}));/gi, (whole, decimal, hex, name) => {
    if (decimal !== undefined) return characterOf(Number(decimal));
    if (hex !== undefined) return characterOf(Number.parseInt(hex, 16));
    return entities[String(name).toLowerCase()] ?? whole;
  });

const webAddress = /https?:\/\/[^\s<>"“”]+/g;

/** Web addresses in a text, without the punctuation after them and a bracket that is opened before them. */
function withAddresses(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(webAddress)) {
    let address = found.replace(/[.,;:!?'’]+$/, '');
    if (address.endsWith(')') && !address.includes('(')) address = address.slice(0, -1);
    const href = allowedAddress(address);
    if (href === undefined) continue;
    if (index > end) pieces.push({ text: text.slice(end, index) });
    pieces.push({ text: address, href });
    end = index + address.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

const isMarkup = (text: string): boolean => /^<[\s\S]*>$/.test(text.trim());

/** A comment, a tag with its name and attributes, or a run of text. */
const tokens = /<!--[\s\S]*?-->|<(\/?)([a-z][a-z0-9]*)((?:"[^"]*"|'[^']*'|[^>"'])*)>|[^<]+|</gi;

const hrefForm = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i;

/** What the tags before a token say. */
interface OpenTags {
  /** The address of the link that is open. */
  readonly href?: string;
  /** The element whose content is no text. */
  readonly hidden?: string;
}

const isHidden = (name: string): boolean => name === 'script' || name === 'style';

function linkOf(attributes: string): OpenTags {
  const value = hrefForm
    .exec(attributes)
    ?.slice(1)
    .find((one) => one !== undefined);
  const href = value === undefined ? undefined : allowedAddress(decoded(value));
  return href === undefined ? {} : { href };
}

function tagsAfter(open: OpenTags, name: string, isClosing: boolean, attributes: string): OpenTags {
  if (isHidden(name)) return isClosing ? {} : { hidden: name };
  if (name !== 'a') return open;
  return isClosing ? {} : linkOf(attributes);
}

function textPieces(text: string, { href, hidden }: OpenTags): readonly TextPiece[] {
  if (hidden !== undefined) return [];
  return href === undefined ? withAddresses(decoded(text)) : [{ text: decoded(text), href }];
}

function markupPieces(html: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let open: OpenTags = {};
  for (const [token, closing, tag, attributes = ''] of html.matchAll(tokens)) {
    const name = tag?.toLowerCase();
    const isClosing = closing === '/';
    if (name !== undefined) open = tagsAfter(open, name, isClosing, attributes);
    else if (!token.startsWith('<!--')) pieces.push(...textPieces(token, open));
    if (name === 'br' || (name === 'p' && isClosing)) pieces.push({ text: '\n' });
  }
  return pieces;
}

/** The pieces of a paragraph of metadata. */
export const linkedPieces = (text: string): readonly TextPiece[] =>
  isMarkup(text) ? markupPieces(text.trim()) : withAddresses(text);

const lengthOf = (pieces: readonly TextPiece[]): number => pieces.reduce((sum, { text }) => sum + text.length, 0);

/** The beginning of a long text, cut after a word; links stay whole. Undefined for a text of at most this length. */
export function beginningOf(pieces: readonly TextPiece[], length: number): readonly TextPiece[] | undefined {
  if (lengthOf(pieces) <= length) return undefined;
  const kept: TextPiece[] = [];
  let rest = length;
  for (const piece of pieces) {
    if (rest <= 0) break;
    if (piece.text.length <= rest) kept.push(piece);
    else if (piece.href === undefined) kept.push({ text: piece.text.slice(0, rest).replace(/\s+\S{0,40}$/, '') });
    rest -= piece.text.length;
  }
  return [...kept, { text: ' …' }];
}

/** What kind of statement it is, for an icon: a license, the public domain, copyright, or anything else. */
export type RightsKind = 'license' | 'public-domain' | 'copyright' | 'other';

/** Names of licenses and rights statements by their addresses. */
export interface Rights {
  readonly kind: RightsKind;
  /** A name that is the same in all languages, such as `CC BY-SA 4.0`; empty for none. */
  readonly name: string;
  /** The statements of which its meaning consists, for `rights-…` in the texts. */
  readonly words: readonly RightsWord[];
}

/** The terms of Creative Commons, and the identifiers of rightsstatements.org. */
export const rightsWords = [
  'by',
  'sa',
  'nc',
  'nd',
  'mark',
  'zero',
  'InC',
  'InC-OW-EU',
  'InC-EDU',
  'InC-NC',
  'InC-RUU',
  'NoC-CR',
  'NoC-NC',
  'NoC-OKLR',
  'NoC-US',
  'CNE',
  'UND',
  'NKC',
] as const;

type RightsWord = (typeof rightsWords)[number];

const isWord = (text: string): text is RightsWord => rightsWords.some((word) => word === text);

const license = /^https?:\/\/(?:www\.)?creativecommons\.org\/licenses\/([a-z-]+)\/([\d.]+)(?:\/([a-z]{2,3}))?/i;
const publicDomain = /^https?:\/\/(?:www\.)?creativecommons\.org\/publicdomain\/(mark|zero)\/([\d.]+)/i;
const statement = /^https?:\/\/(?:www\.)?rightsstatements\.org\/(?:vocab|page)\/([A-Za-z-]+)\//i;

function statementKind(word: string): RightsKind {
  if (word.startsWith('InC')) return 'copyright';
  return word.startsWith('NoC') ? 'public-domain' : 'other';
}

/** Undefined for other addresses. */
export function rightsAt(address: string): Rights | undefined {
  const licensed = license.exec(address);
  if (licensed !== null) {
    const [, terms = '', version = '', country = ''] = licensed;
    const words = terms.toLowerCase().split('-').filter(isWord);
    const name = `CC ${terms.toUpperCase()} ${version} ${country.toUpperCase()}`.trim();
    return words.length === 0 ? undefined : { kind: 'license', name, words };
  }
  const free = publicDomain.exec(address);
  if (free !== null) {
    const word = free[1]?.toLowerCase() === 'zero' ? 'zero' : 'mark';
    return { kind: 'public-domain', name: word === 'zero' ? `CC0 ${free[2]}` : '', words: [word] };
  }
  const word = statement.exec(address)?.[1] ?? '';
  return isWord(word) ? { kind: statementKind(word), name: '', words: [word] } : undefined;
}

/** Stands for what is left out. */
const ellipsis = '…';

/** Words with the separators before them. */
const wordsOf = (label: string): readonly string[] => label.match(/[\s_.\-/]*[^\s_.\-/]+/gu) ?? [label];

const hasDigit = (word: string): boolean => /\p{Nd}/u.test(word);

/** The text without separators at its ends. */
const trimmed = (text: string): string => text.replace(/^[\s_.\-/]+|[\s_.\-/]+$/gu, '');

function fromStart(label: string, most: number): string {
  return trimmed([...label].slice(0, most - 1).join('')) + ellipsis;
}

/**
 * A label in at most `most` characters. The last word with a digit stays, since numbers tell pages apart, and as many words
 * after and then before it as fit: `Folio 12 recto` becomes `…12 recto`. A label without digits keeps its beginning.
 */
export function shortLabel(label: string, most: number): string {
  if ([...label].length <= most) return label;
  const words = wordsOf(label);
  const numbered = words.findLastIndex(hasDigit);
  if (numbered < 0) return fromStart(label, most);
  const written = (from: number, to: number): string =>
    (from > 0 ? ellipsis : '') + trimmed(words.slice(from, to).join('')) + (to < words.length ? ellipsis : '');
  const fits = (from: number, to: number): boolean => [...written(from, to)].length <= most;
  let [from, to] = [numbered, numbered + 1];
  if (!fits(from, to)) return ellipsis + [...trimmed(words[numbered] ?? '')].slice(1 - most).join('');
  while (to < words.length && fits(from, to + 1)) to += 1;
  while (from > 0 && fits(from - 1, to)) from -= 1;
  return written(from, to);
}

/** A part of fewer characters is not worth a line. */
const leastLength = 3;

/** After a divider, after a dot that begins no extension, and before a capital after a small letter. */
const breaks = /(?<=[_/,+=&])(?!$)|(?<=\.)(?!\w{2,4}$)(?!$)|(?<=\p{Ll})(?=\p{Lu})/u;

/** The parts of a name between which a line may break. Spaces and hyphens break of themselves. */
export function namePieces(name: string): readonly string[] {
  const pieces: string[] = [];
  for (const piece of name.split(breaks)) {
    const last = pieces.at(-1);
    const isShort = last !== undefined && (last.length < leastLength || piece.length < leastLength);
    if (isShort) pieces[pieces.length - 1] = last + piece;
    else pieces.push(piece);
  }
  return pieces;
}
