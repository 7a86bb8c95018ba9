/** Writes a TIFF in memory that has one level of JPEG tiles (TIFF 6.0, sections 2 and 15; TIFF Technical Note 2). */

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface TiledTiff extends Size {
  /** Size of a tile in pixels. */
  readonly tile: Size;
  readonly samples: 'ycbcr' | 'rgb' | 'gray';
  /** The tables that the tiles share, as a JPEG stream without an image. */
  readonly tables?: Buffer;
  readonly profile?: Buffer;
  /** The bytes of each tile, row by row. */
  readonly tiles: readonly Buffer[];
}

interface Entry {
  readonly tag: number;
  readonly type: 3 | 4 | 7;
  readonly values: readonly number[] | Buffer;
}

const short = (tag: number, ...values: readonly number[]): Entry => ({ tag, type: 3, values });
const long = (tag: number, values: readonly number[]): Entry => ({ tag, type: 4, values });
const bytes = (tag: number, values: Buffer): Entry => ({ tag, type: 7, values });

/** PhotometricInterpretation. */
const photometrics = { gray: 1, rgb: 2, ycbcr: 6 } as const;

const headerBytes = 8;
const entryBytes = 12;

/** An entry's values of at most these bytes are stored in the entry itself. */
const inlineBytes = 4;

const lengthOf = ({ type, values }: Entry): number => values.length * (type === 3 ? 2 : type === 4 ? 4 : 1);

/** Values begin at even offsets. */
const even = (length: number): number => length + (length % 2);

function writeValues(to: Buffer, at: number, { type, values }: Entry): void {
  if (Buffer.isBuffer(values)) {
    values.copy(to, at);
    return;
  }
  for (const [index, value] of values.entries()) {
    if (type === 3) to.writeUInt16LE(value, at + index * 2);
    else to.writeUInt32LE(value, at + index * 4);
  }
}

/** Everything before the tiles, which begin at its end. The tags have to be in ascending order. */
function writeHead(entries: readonly Entry[], length: number): Buffer {
  const head = Buffer.alloc(length);
  head.write('II*\0', 'latin1');
  head.writeUInt32LE(headerBytes, 4);
  head.writeUInt16LE(entries.length, headerBytes);
  let at = headerBytes + 2;
  let valuesAt = at + entries.length * entryBytes + 4;
  for (const entry of entries) {
    head.writeUInt16LE(entry.tag, at);
    head.writeUInt16LE(entry.type, at + 2);
    head.writeUInt32LE(entry.values.length, at + 4);
    const taken = lengthOf(entry);
    if (taken > inlineBytes) head.writeUInt32LE(valuesAt, at + 8);
    writeValues(head, taken > inlineBytes ? valuesAt : at + 8, entry);
    if (taken > inlineBytes) valuesAt += even(taken);
    at += entryBytes;
  }
  return head;
}

/** The file's bytes. YCbCrSubSampling is left out: readers take it from the first tile. */
export function tiledTiff({ width, height, tile, samples, tables, profile, tiles }: TiledTiff): Buffer {
  const entriesWith = (offsets: readonly number[]): readonly Entry[] => [
    long(256, [width]),
    long(257, [height]),
    samples === 'gray' ? short(258, 8) : short(258, 8, 8, 8),
    short(259, 7),
    short(262, photometrics[samples]),
    short(277, samples === 'gray' ? 1 : 3),
    short(284, 1),
    long(322, [tile.width]),
    long(323, [tile.height]),
    long(324, offsets),
    long(
      325,
      tiles.map(({ length }) => length),
    ),
    ...(tables ? [bytes(347, tables)] : []),
    ...(profile ? [bytes(34_675, profile)] : []),
  ];
  const outside = (entry: Entry): number => (lengthOf(entry) > inlineBytes ? even(lengthOf(entry)) : 0);
  const unplaced = entriesWith(tiles.map(() => 0));
  const start = unplaced.reduce((sum, entry) => sum + entryBytes + outside(entry), headerBytes + 2 + 4);
  let at = start;
  const offsets = tiles.map(({ length }) => {
    const offset = at;
    at += length;
    return offset;
  });
  return Buffer.concat([writeHead(entriesWith(offsets), start), ...tiles], at);
}
