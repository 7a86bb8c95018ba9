/**
 * Texts of metadata as pieces of text and links. A value may be HTML with few elements (Presentation API 3.0, section 4.4): of these,
 * links and line breaks are kept, and of all others their text. In any value, web addresses become links.
 */

export interface TextPiece {
  readonly text: string;
  /** The address of a link; absent for text. */
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
