/** Lays out TIFF files by hand, so that tests can have any directory they need, sound or hostile. */

/** A tag's number, type and values; a rational is given by its numerator, over 1000. */
export type Tag = readonly [tag: number, type: number, values: readonly number[] | { count: number; offset: number }];

export interface Directory {
  readonly tags: readonly Tag[];
  readonly subDirectories?: readonly Directory[];
}

export interface Layout {
  readonly littleEndian?: boolean;
  readonly big?: boolean;
}

export const short = 3;
export const long = 4;
export const rational = 5;

const typeBytes: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  7: 1,
  11: 4,
  12: 8,
  13: 4,
  16: 8,
  18: 8,
};

/** The tags of a plain RGB picture, before and after those given; a given tag replaces one of these. */
export function picture(width: number, height: number, tags: readonly Tag[] = []): readonly Tag[] {
  const given = new Set(tags.map(([tag]) => tag));
  const plain: readonly Tag[] = [
    [256, short, [width]],
    [257, short, [height]],
    [258, short, [8, 8, 8]],
    [262, short, [2]],
    [277, short, [3]],
  ];
  return [...plain.filter(([tag]) => !given.has(tag)), ...tags];
}

export function buildTiff(directories: readonly Directory[], layout: Layout = {}): Buffer {
  const { littleEndian = true, big = false } = layout;
  const write = numberWriter(littleEndian);
  const order = littleEndian ? 'II' : 'MM';
  const head = big
    ? [Buffer.from(order), write(43, 2), write(8, 2), write(0, 2), write(16, 8)]
    : [Buffer.from(order), write(42, 2), write(8, 4)];
  let bytes: Buffer = Buffer.concat(head);
  for (const [index, directory] of directories.entries()) {
    const isLast = index === directories.length - 1;
    bytes = Buffer.concat([bytes, directoryBytes(directory, bytes.length, isLast, { littleEndian, big })]);
  }
  return bytes;
}

function directoryBytes(directory: Directory, start: number, isLast: boolean, layout: Required<Layout>): Buffer {
  const write = numberWriter(layout.littleEndian);
  const [countBytes, wordBytes] = layout.big ? [8, 8] : [2, 4];
  const { tags, subDirectories = [] } = directory;
  const entryCount = tags.length + (subDirectories.length > 0 ? 1 : 0);
  const headBytes = countBytes + entryCount * (4 + 2 * wordBytes) + wordBytes;
  const heap: Buffer[] = [];
  let end = start + headBytes;
  const store = (bytes: Buffer): number => {
    const offset = end;
    heap.push(bytes);
    end += bytes.length;
    return offset;
  };
  const subOffsets = subDirectories.map((sub) => store(directoryBytes(sub, end, true, layout)));
  const pointers: readonly Tag[] = subOffsets.length > 0 ? [[330, layout.big ? 18 : long, subOffsets]] : [];
  const entries = [...tags, ...pointers].map(([tag, type, values]) => {
    const entryHead = [write(tag, 2), write(type, 2)];
    if ('count' in values)
      return Buffer.concat([...entryHead, write(values.count, wordBytes), write(values.offset, wordBytes)]);
    const bytes = Buffer.concat(values.map((value) => valueBytes(type, value, layout.littleEndian)));
    const slot = Buffer.alloc(wordBytes);
    if (bytes.length <= wordBytes) bytes.copy(slot);
    else write(store(bytes), wordBytes).copy(slot);
    return Buffer.concat([...entryHead, write(values.length, wordBytes), slot]);
  });
  const next = write(isLast ? 0 : end, wordBytes);
  return Buffer.concat([write(entryCount, countBytes), ...entries, next, ...heap]);
}

function valueBytes(type: number, value: number, littleEndian: boolean): Buffer {
  const write = numberWriter(littleEndian);
  if (type === rational) return Buffer.concat([write(value, 4), write(1000, 4)]);
  if (type !== 11 && type !== 12) return write(value, typeBytes[type] ?? 1);
  const bytes = Buffer.alloc(type === 11 ? 4 : 8);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  if (type === 11) view.setFloat32(0, value, littleEndian);
  else view.setFloat64(0, value, littleEndian);
  return bytes;
}

function numberWriter(littleEndian: boolean): (value: number, length: number) => Buffer {
  return (value, length) => {
    const bytes = Buffer.alloc(length);
    let rest = BigInt(value);
    for (let index = 0; index < length; index++) {
      bytes.writeUInt8(Number(rest & 0xffn), littleEndian ? index : length - 1 - index);
      rest >>= 8n;
    }
    return bytes;
  };
}
