/** Writes TIFF files of tiles or strips with Deflate or none, in all the ways in which files may store these and sharp does not. */
import { deflateSync } from 'node:zlib';
import { buildTiff, type Directory, dataOffset, long, short, type Tag } from '../fixtures/files/tiff.mjs';

export interface Samples {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly values: Uint8Array | Uint16Array | Float32Array;
}

export interface BlockTiffOptions {
  /** Sides of a tile; or the rows of a strip. */
  readonly tile?: number;
  readonly rows?: number;
  readonly isCompressed?: boolean;
  /** Each sample in blocks of its own. */
  readonly isPlanar?: boolean;
  readonly littleEndian?: boolean;
  readonly big?: boolean;
  /** Bytes between blocks, as GDAL writes them. */
  readonly gap?: number;
  /** Smaller levels are SubIFDs of the first, not further pages. */
  readonly inSubDirectories?: boolean;
  /** Floats with the predictor of Adobe’s Technical Note 3. */
  readonly predictor?: 3;
  readonly photometric?: number;
  readonly tags?: readonly Tag[];
}

interface Block {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The samples of a block; those beyond the image are zero. */
function valuesOf({ width, height, channels, values }: Samples, block: Block, plane: number | undefined) {
  const samples = plane === undefined ? channels : 1;
  const cut = new (values.constructor as Uint16ArrayConstructor)(block.width * block.height * samples);
  for (let row = 0; row < Math.min(block.height, height - block.y); row++) {
    for (let column = 0; column < Math.min(block.width, width - block.x); column++) {
      const from = ((block.y + row) * width + block.x + column) * channels + (plane ?? 0);
      const to = (row * block.width + column) * samples;
      for (let sample = 0; sample < samples; sample++) cut[to + sample] = values[from + sample] ?? 0;
    }
  }
  return cut;
}

/** The bytes of each row by their significance, as differences. */
function floatPredicted(bytes: Buffer, rowSamples: number, stride: number): Buffer {
  const result = Buffer.alloc(bytes.length);
  for (let row = 0; row < bytes.length; row += rowSamples * 4) {
    for (let sample = 0; sample < rowSamples; sample++)
      for (let byte = 0; byte < 4; byte++)
        result[row + byte * rowSamples + sample] = bytes[row + sample * 4 + (3 - byte)] ?? 0;
    for (let at = row + rowSamples * 4 - 1; at >= row + stride; at--)
      result[at] = ((result[at] ?? 0) - (result[at - stride] ?? 0)) & 255;
  }
  return result;
}

function* blocksOf({ width, height }: Samples, { tile, rows = height }: BlockTiffOptions): Generator<Block> {
  const [blockWidth, blockHeight] = tile ? [tile, tile] : [width, rows];
  for (let y = 0; y < height; y += blockHeight)
    for (let x = 0; x < width; x += blockWidth)
      yield { x, y, width: blockWidth, height: tile ? tile : Math.min(rows, height - y) };
}

function bytesOf(level: Samples, block: Block, plane: number | undefined, options: BlockTiffOptions): Buffer {
  const { littleEndian = true, isCompressed = true, predictor } = options;
  const { buffer, BYTES_PER_ELEMENT } = valuesOf(level, block, plane);
  const bytes = Buffer.from(buffer);
  if (!littleEndian && BYTES_PER_ELEMENT === 2) bytes.swap16();
  const channels = plane === undefined ? level.channels : 1;
  const predicted = predictor ? floatPredicted(bytes, block.width * channels, channels) : bytes;
  return isCompressed ? deflateSync(predicted, { level: 1 }) : predicted;
}

/** The tags of a level whose blocks have these places. */
function tagsOf(
  level: Samples,
  isReduced: boolean,
  places: readonly Place[],
  options: BlockTiffOptions,
): readonly Tag[] {
  const { tile, rows = level.height, isCompressed = true, isPlanar = false, predictor, tags = [] } = options;
  const { width, height, channels, values } = level;
  const each = (value: number): number[] => Array.from({ length: channels }, () => value);
  const offsets: Tag = [tile ? 324 : 273, long, places.map(({ at }) => at)];
  const lengths: Tag = [tile ? 325 : 279, long, places.map(({ bytes }) => bytes)];
  const all: readonly Tag[] = [
    [254, long, [isReduced ? 1 : 0]],
    [256, long, [width]],
    [257, long, [height]],
    [258, short, each(values.BYTES_PER_ELEMENT * 8)],
    [259, short, [isCompressed ? 8 : 1]],
    [262, short, [options.photometric ?? (channels > 2 ? 2 : 1)]],
    [277, short, [channels]],
    [284, short, [isPlanar ? 2 : 1]],
    ...(predictor ? [[317, short, [predictor]] as const] : []),
    ...(tile
      ? ([
          [322, long, [tile]],
          [323, long, [tile]],
        ] as const)
      : ([[278, long, [rows]]] as const)),
    offsets,
    lengths,
    ...(channels === 4 ? [[338, short, [2]] as const] : []),
    ...(values instanceof Float32Array ? [[339, short, each(3)] as const] : []),
    ...tags,
  ];
  return all.toSorted(([one], [other]) => one - other);
}

interface Place {
  readonly at: number;
  readonly bytes: number;
}

export function blockTiff(levels: readonly Samples[], options: BlockTiffOptions): Buffer {
  const { isPlanar = false, gap = 0, inSubDirectories = false } = options;
  const data: Buffer[] = [];
  let at = dataOffset(options);
  const directories = levels.map((level, index): Directory => {
    const planes = isPlanar ? Array.from({ length: level.channels }, (_, plane) => plane) : [undefined];
    const blocks = planes.flatMap((plane) =>
      [...blocksOf(level, options)].map((each) => bytesOf(level, each, plane, options)),
    );
    const places = blocks.map((bytes): Place => {
      const padding = Buffer.alloc(gap + (bytes.length % 2));
      data.push(bytes, padding);
      at += bytes.length + padding.length;
      return { at: at - bytes.length - padding.length, bytes: bytes.length };
    });
    return { tags: tagsOf(level, index > 0, places, options) };
  });
  const [first, ...smaller] = directories;
  const chain = inSubDirectories && first ? [{ ...first, subDirectories: smaller }] : directories;
  return buildTiff(chain, { ...options, data });
}
