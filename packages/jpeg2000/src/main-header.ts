/** Reads the main header of a JPEG 2000 code-stream, and the header of its first tile-part (ISO 15444-1, annex A). */

import { type ByteSource, ifIntact, readExactly, required } from './bytes.ts';
import { applySegments, marker, parseTileStyle, type Segment, type TileCoding } from './coding.ts';
import { damaged, isDamage } from './error.ts';
import { type CodeStream, type Component, finestStep, type Rect, reducedRect, type Size, tileCounts } from './model.ts';

/** PLM and PLT. */
const packetLengthMarkers: ReadonlySet<number> = new Set([0xff57, 0xff58]);

/** A segment has at most 64 KiB; TLM, PLM and PPM have up to 256 of them. */
const maxSegments = 1024;

/** Images of hundreds of channels are measurements, not pictures; the format allows 16,384. */
const maxComponents = 256;

/** The most tiles that an index of 16 bits can tell apart (section A.4.2). */
const maxTiles = 65_535;

/** The most bits of a sample (table A.11). */
const maxBits = 38;

/** What of COD and COC is read: with a precinct for each of 33 resolutions, they have 43 bytes. */
const styleBytes = 64;

type Shape = Pick<CodeStream, 'area' | 'tile' | 'components'> & { readonly capabilities: number };

/** What a header says of the coding style. */
interface Styles {
  /** COD and COC. */
  readonly segments: Segment[];
  packetLengths: boolean;
}

/**
 * The facts of the code-stream that `source` begins with, `at` in the file. Throws Jpeg2000Error where the main header is
 * damaged; the header of the first tile-part is used as far as it is intact.
 */
export async function readCodeStream(source: ByteSource, at: number): Promise<CodeStream> {
  const { capabilities, ...shape } = await readShape(source);
  const count = shape.components.length;
  const main: Styles = { segments: [], packetLengths: false };
  const end = required(
    await readStyles(source, 2, marker.sot, main),
    'The JPEG 2000 code-stream ends or breaks in its main header.',
  );
  const cod = main.segments.find((segment) => segment.marker === marker.cod);
  const { body } = required(cod, 'The JPEG 2000 code-stream has no coding style.');
  const coding = soundStyle(() => applySegments(main.segments, count, undefined));
  const { component: style, layers, progression, componentTransform } = soundStyle(() => parseTileStyle(body));
  const tile = await ifIntact(readTileStyles(source, end, (segments) => applySegments(segments, count, coding)));
  const all = [style, ...coding.components];
  return {
    at,
    bytes: source.size,
    headerBytes: end,
    ...shape,
    reductions: Math.min(...[...coding.components, ...(tile?.coding.components ?? [])].map(({ levels }) => levels)),
    layers,
    progression,
    block: sizeOf({ width: style.blockWidth, height: style.blockHeight }),
    ...(((body[0] ?? 0) & 1) !== 0 && { precincts: style.precincts.map(sizeOf) }),
    componentTransform,
    highThroughput: (capabilities & 0x4000) !== 0 || all.some(({ blockStyle }) => (blockStyle & 0x40) !== 0),
    packetLengths: main.packetLengths || (tile?.packetLengths ?? false),
  };
}

/** Sides by their exponents. */
const sizeOf = ({ width, height }: Size): Size => ({ width: 2 ** width, height: 2 ** height });

/** What is parsed of a coding style. */
function soundStyle<T>(parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw isDamage(cause) ? damaged('The JPEG 2000 coding style is damaged.', { cause }) : cause;
  }
}

/**
 * Adds what a header says from `start` up to the marker `last`, and returns that one’s offset; undefined where the code-stream ends or
 * breaks before.
 */
async function readStyles(
  source: ByteSource,
  start: number,
  last: number,
  styles: Styles,
): Promise<number | undefined> {
  let at = start;
  for (let count = 0; count < maxSegments; count++) {
    const head = await source.read(at, 4);
    const code = head.length < 2 ? 0 : head.readUInt16BE(0);
    if (code <= 0xff00) return undefined;
    if (code === last) return at;
    const length = head.length < 4 ? 0 : head.readUInt16BE(2);
    // Markers without a segment (0xFF30 to 0xFF3F and those above EPH) have no place in a header.
    if (length < 2 || at + 2 + length > source.size) return undefined;
    const isStyle = code === marker.cod || code === marker.coc;
    if (isStyle)
      styles.segments.push({ marker: code, body: await source.read(at + 4, Math.min(length - 2, styleBytes)) });
    styles.packetLengths ||= packetLengthMarkers.has(code);
    at += 2 + length;
  }
  return undefined;
}

/** What the header of the first tile-part says in place of the main header, as far as it goes. */
async function readTileStyles(source: ByteSource, at: number, apply: (segments: readonly Segment[]) => TileCoding) {
  const [markerBytes, segmentBytes] = [2, 10];
  const styles: Styles = { segments: [], packetLengths: false };
  await readStyles(source, at + markerBytes + segmentBytes, marker.sod, styles);
  return { coding: apply(styles.segments), packetLengths: styles.packetLengths };
}

const cut = 'The JPEG 2000 code-stream header is cut short.';

/** The SIZ marker segment, which must be the first one (section A.5.1). */
async function readShape(source: ByteSource): Promise<Shape> {
  const head = required(await readExactly(source, 0, 42), cut);
  if (head.readUInt32BE(0) !== 0xff4fff51) throw damaged('The JPEG 2000 code-stream does not begin with its size.');
  const word = (index: number): number => head.readUInt32BE(8 + index * 4);
  const [right, bottom, x, y] = [word(0), word(1), word(2), word(3)];
  const area: Rect = { x, y, width: right - x, height: bottom - y };
  const tile: Rect = { x: word(6), y: word(7), width: word(4), height: word(5) };
  const count = head.readUInt16BE(40);
  if (head.readUInt16BE(4) !== 38 + 3 * count) throw damaged('The JPEG 2000 size marker is damaged.');
  if (count > maxComponents) throw damaged(`The JPEG 2000 image has more than ${maxComponents} components.`);
  const table = required(await readExactly(source, 42, count * 3), cut);
  const components = Array.from({ length: count }, (_, index) => componentAt(table, index * 3));
  const [first, ...others] = components;
  const shape = { area, tile, components: [required(first, noSize), ...others] as const };
  requireSound(shape);
  return { ...shape, capabilities: head.readUInt16BE(6) };
}

const componentAt = (table: Buffer, at: number): Component => ({
  bits: (table.readUInt8(at) & 0x7f) + 1,
  signed: table.readUInt8(at) >= 0x80,
  dx: table.readUInt8(at + 1),
  dy: table.readUInt8(at + 2),
});

const noSize = 'The JPEG 2000 header says a size of zero.';

/** The first tile must contain the image’s first sample (section B.3), and each component a sample. */
function requireSound({ area, tile, components }: Omit<Shape, 'capabilities'>): void {
  if (area.width < 1 || area.height < 1) throw damaged(noSize);
  if (!components.every(({ bits, dx, dy }) => bits <= maxBits && dx > 0 && dy > 0))
    throw damaged('A JPEG 2000 component has no samples, or too many bits.');
  const isInFirst = (from: number, length: number, start: number): boolean => from <= start && from + length > start;
  if (!isInFirst(tile.x, tile.width, area.x) || !isInFirst(tile.y, tile.height, area.y))
    throw damaged('The first JPEG 2000 tile lies outside of the image.');
  const { columns, rows } = tileCounts({ area, tile });
  if (columns * rows > maxTiles) throw damaged(`The JPEG 2000 image has more than ${maxTiles} tiles.`);
  const { width, height } = reducedRect(area, finestStep({ components }), 0);
  if (width < 1 || height < 1) throw damaged(noSize);
}

/** The most tile-parts that are followed to find out where a code-stream ends. */
const maxTileParts = 1000;

/** More zeros than packets without data leave at the end of a code-stream without EOC. */
const reservedBytes = 256;

/** How a code-stream ends: with EOC, with the last tile-part, or before. */
type End = 'marked' | 'unmarked' | 'missing';

/** Where EOC is not at its end, as writers leave it out and copies are padded, the tile-parts are followed by their lengths (section A.4.2). */
async function endOf(source: ByteSource, { headerBytes }: CodeStream): Promise<End> {
  let at = headerBytes;
  for (let count = 0; count < maxTileParts && at !== source.size; count++) {
    const head = await source.read(at, 10);
    if (head.length >= 2 && head.readUInt16BE(0) === marker.eoc) return 'marked';
    if (head.length < 10 || head.readUInt16BE(0) !== marker.sot) return 'missing';
    const length = head.readUInt32BE(6);
    // A length of zero says that the tile-part extends to EOC, which is not there.
    if (length === 0 || at + length > source.size) return 'missing';
    at += length;
  }
  return at === source.size ? 'unmarked' : 'missing';
}

/**
 * Whether a code-stream ends before its tile-parts do. Where its length is not known, they are followed; and where it ends in zeros in place of EOC, as a
 * copy that reserved its space first and was not finished: decoders take zeros for packets without data.
 */
export async function isCutShort(
  source: ByteSource,
  facts: CodeStream,
  length: 'known' | 'unknown' = 'unknown',
): Promise<boolean> {
  const tail = await source.read(Math.max(0, source.size - reservedBytes), reservedBytes);
  if (tail.length >= 2 && tail.readUInt16BE(tail.length - 2) === marker.eoc) return false;
  const isReserved = tail.length === reservedBytes && tail.every((byte) => byte === 0);
  if (length === 'known' && !isReserved) return false;
  const end = await endOf(source, facts);
  return end === 'missing' || (end === 'unmarked' && isReserved);
}
