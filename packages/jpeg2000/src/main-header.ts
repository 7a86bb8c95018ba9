/** Reads the main header of a JPEG 2000 code-stream, and the header of its first tile-part (ISO 15444-1, annex A). */

import { type ByteSource, ifIntact, readExactly, required, sliceSource } from './bytes.ts';
import { damaged } from './error.ts';
import {
  type CodeStream,
  type Component,
  finestStep,
  type OptionalMarker,
  type Progression,
  type Rect,
  reducedRect,
  type Size,
  tileCounts,
} from './model.ts';

const marker = {
  size: 0xff51,
  style: 0xff52,
  componentStyle: 0xff53,
  tilePart: 0xff90,
  data: 0xff93,
  end: 0xffd9,
} as const;

const optionalMarkers: ReadonlyMap<number, OptionalMarker> = new Map([
  [0xff53, 'COC'],
  [0xff55, 'TLM'],
  [0xff57, 'PLM'],
  [0xff58, 'PLT'],
  [0xff5d, 'QCC'],
  [0xff5e, 'RGN'],
  [0xff5f, 'POC'],
  [0xff60, 'PPM'],
  [0xff61, 'PPT'],
]);

const progressions: readonly Progression[] = ['LRCP', 'RLCP', 'RPCL', 'PCRL', 'CPRL'];

/** A segment has at most 64 KiB; TLM, PLM and PPM have up to 256 of them. */
const maxSegments = 1024;

/** Images of hundreds of channels are measurements, not pictures; the format allows 16,384. */
const maxComponents = 256;

/** The most tiles that an index of 16 bits can tell apart (section A.4.2). */
const maxTiles = 65_535;

/** The most bits of a sample, and the most decomposition levels (tables A.11 and A.15). */
const maxBits = 38;
const maxLevels = 32;

/** Code-blocks have at most 1024 samples in a row or column, and 4096 together (table A.18). */
const maxBlockExponent = 10;
const maxBlockExponents = 12;

interface Segment {
  readonly marker: number;
  /** Offset of the marker in the code-stream. */
  readonly at: number;
  /** The body, without marker and length. */
  readonly body: ByteSource;
}

type Shape = Pick<CodeStream, 'area' | 'tile' | 'components'> & { readonly capabilities: number };

/** What a COD or COC marker segment says of a component (section A.6.1). */
interface Style {
  readonly levels: number;
  readonly block: Size;
  readonly reversible: boolean;
  readonly highThroughput: boolean;
  readonly precincts?: readonly Size[];
}

type DefaultStyle = Style &
  Pick<CodeStream, 'layers' | 'progression' | 'componentTransform'> & { readonly scod: number };

interface Found {
  style?: DefaultStyle;
  readonly componentStyles: Map<number, Style>;
  readonly markers: Set<OptionalMarker>;
}

/**
 * The facts of the code-stream that `source` begins with, `at` in the file. Throws Jpeg2000Error where the main header is
 * damaged; the header of the first tile-part is used as far as it is intact.
 */
export async function readCodeStream(source: ByteSource, at: number): Promise<CodeStream> {
  const shape = await readShape(source);
  const found: Found = { componentStyles: new Map(), markers: new Set() };
  const end = required(
    await readSegments(source, 2, marker.tilePart, (segment) => addSegment(segment, found)),
    'The JPEG 2000 code-stream ends or breaks in its main header.',
  );
  const style = required(found.style, 'The JPEG 2000 code-stream has no coding style.');
  const tilePart = await readTilePart(source, end, found);
  const ofTile = { ...found, componentStyles: new Map(tilePart.componentStyles), style: tilePart.style ?? style };
  const { capabilities, ...shaped } = shape;
  const { layers, progression, block, precincts, componentTransform } = style;
  const styles = [style, ...found.componentStyles.values()];
  return {
    at,
    bytes: source.size,
    headerBytes: end,
    ...shaped,
    reductions: Math.min(levelsOf(shape, { ...found, style }), levelsOf(shape, ofTile)),
    layers,
    progression,
    block,
    ...(precincts && { precincts }),
    reversible: styles.every((each) => each.reversible),
    componentTransform,
    highThroughput: (capabilities & 0x4000) !== 0 || styles.some((each) => each.highThroughput),
    markers: [...found.markers, ...tilePart.markers].filter((each, index, all) => all.indexOf(each) === index).sort(),
  };
}

/** The fewest decomposition levels of any component. */
function levelsOf({ components }: Shape, { style, componentStyles }: Found): number {
  return Math.min(...components.map((_, index) => (componentStyles.get(index) ?? style)?.levels ?? maxLevels));
}

/**
 * Calls `add` with each segment from `start` up to the one with the marker `last`, and returns that one’s offset; undefined
 * where the code-stream ends or breaks before.
 */
async function readSegments(
  source: ByteSource,
  start: number,
  last: number,
  add: (segment: Segment) => Promise<void>,
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
    await add({ marker: code, at, body: sliceSource(source, at + 4, length - 2) });
    at += 2 + length;
  }
  return undefined;
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

async function addSegment({ marker: code, body }: Segment, found: Found): Promise<void> {
  const name = optionalMarkers.get(code);
  if (name !== undefined) found.markers.add(name);
  if (code === marker.style) {
    found.style ??= await readDefaultStyle(body);
    if (found.style.scod & 2) found.markers.add('SOP');
    if (found.style.scod & 4) found.markers.add('EPH');
  }
  if (code === marker.componentStyle) await addComponentStyle(body, found);
}

const damagedStyle = 'The JPEG 2000 coding style is damaged.';

/** COD: the style of all components that have none of their own (section A.6.1). */
async function readDefaultStyle(body: ByteSource): Promise<DefaultStyle> {
  const head = required(await readExactly(body, 0, 5), damagedStyle);
  const scod = head.readUInt8(0);
  const progression = required(progressions[head.readUInt8(1)], damagedStyle);
  const layers = head.readUInt16BE(2);
  if (layers < 1) throw damaged(damagedStyle);
  const style = await readStyle(sliceSource(body, 5, body.size), (scod & 1) !== 0);
  return { ...style, scod, progression, layers, componentTransform: head.readUInt8(4) !== 0 };
}

/** COC: the style of one component (section A.6.2); the index has one byte, as there are fewer than 257 components. */
async function addComponentStyle(body: ByteSource, { componentStyles }: Found): Promise<void> {
  const head = required(await readExactly(body, 0, 2), damagedStyle);
  const style = await readStyle(sliceSource(body, 2, body.size), (head.readUInt8(1) & 1) !== 0);
  if (!componentStyles.has(head.readUInt8(0))) componentStyles.set(head.readUInt8(0), style);
}

/** The parameters that COD and COC share (table A.20). */
async function readStyle(body: ByteSource, hasPrecincts: boolean): Promise<Style> {
  const [reversibleTransform, highThroughputBlocks] = [1, 0x40];
  const bytes = required(await readExactly(body, 0, 5), damagedStyle);
  const levels = bytes.readUInt8(0);
  const [columns, rows] = [bytes.readUInt8(1) + 2, bytes.readUInt8(2) + 2];
  const isBlock = columns <= maxBlockExponent && rows <= maxBlockExponent && columns + rows <= maxBlockExponents;
  if (levels > maxLevels || !isBlock) throw damaged(damagedStyle);
  const exponents = hasPrecincts ? required(await readExactly(body, 5, levels + 1), damagedStyle) : undefined;
  return {
    levels,
    block: { width: 2 ** columns, height: 2 ** rows },
    reversible: bytes.readUInt8(4) === reversibleTransform,
    highThroughput: (bytes.readUInt8(3) & highThroughputBlocks) !== 0,
    ...(exponents && {
      precincts: [...exponents].map((each) => ({ width: 2 ** (each & 15), height: 2 ** (each >> 4) })),
    }),
  };
}

/** What the header of the first tile-part says in place of the main header; nothing where it is damaged. */
async function readTilePart(source: ByteSource, at: number, main: Found): Promise<Found> {
  const [markerBytes, segmentBytes] = [2, 10];
  const found: Found = { componentStyles: new Map(), markers: new Set() };
  const read = readSegments(source, at + markerBytes + segmentBytes, marker.data, (segment) =>
    addSegment(segment, found),
  );
  await ifIntact(read);
  // A style of the tile stands above those that the main header has for single components (section A.6.1).
  const inherited = found.style === undefined ? main.componentStyles : [];
  return { ...found, componentStyles: new Map([...inherited, ...found.componentStyles]) };
}

/** The most tile-parts that are followed to find out where a code-stream ends. */
const maxTileParts = 1000;

/**
 * Whether a code-stream whose length nothing says ends before its tile-parts do. Where EOC is not at its end, as writers
 * leave it out and copies are padded, the tile-parts are followed by their lengths (section A.4.2).
 */
export async function isCutShort(source: ByteSource, { headerBytes }: CodeStream): Promise<boolean> {
  if ((await source.read(source.size - 2, 2)).readUInt16BE(0) === marker.end) return false;
  let at = headerBytes;
  for (let count = 0; count < maxTileParts && at !== source.size; count++) {
    const head = await source.read(at, 10);
    if (head.length >= 2 && head.readUInt16BE(0) === marker.end) return false;
    if (head.length < 10 || head.readUInt16BE(0) !== marker.tilePart) return true;
    const length = head.readUInt32BE(6);
    // A length of zero says that the tile-part extends to EOC, which is not there.
    if (length === 0 || at + length > source.size) return true;
    at += length;
  }
  return at !== source.size;
}
