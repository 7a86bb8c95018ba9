/** Reads the header of a JPEG 2000 file, with boxes around its code-stream (JP2) or without (ISO 15444-1, annexes I and A). */
import { pixelBytesOf } from '../../image/model/decoding.ts';
import type { Dpi } from '../../image/model/geometry.ts';
import type { ImageHeader, StoredColor } from '../../image/model/image-set.ts';
import { type ByteSource, readExactly, sliceSource } from './byte-source.ts';
import { HeaderError, required } from './header-error.ts';
import { dpiOf, grayOf, type ImageFacts, imageHeader, inchesPerMeter } from './image-facts.ts';

/** The largest number of boxes in total: they nest, so a bound for each level would not bound the file. */
const maxBoxes = 4096;

const enumeratedColors: ReadonlyMap<number, StoredColor> = new Map([
  [12, 'cmyk'],
  [14, 'lab'],
  [16, 'rgb'],
  [17, 'gray'],
  [18, 'rgb'],
]);

const profileColors: ReadonlyMap<string, StoredColor> = new Map([
  ['RGB ', 'rgb'],
  ['GRAY', 'gray'],
  ['CMYK', 'cmyk'],
  ['Lab ', 'lab'],
]);

interface Box {
  readonly type: string;
  readonly body: ByteSource;
}

type Shape = Pick<ImageFacts, 'size' | 'bits'> & { readonly components: number };

interface Found {
  boxes: number;
  shape?: Shape;
  color?: StoredColor;
  palette: boolean;
  alpha: boolean;
  profile: boolean;
  captureDpi?: Dpi | undefined;
  displayDpi?: Dpi | undefined;
}

export async function readJp2(source: ByteSource): Promise<ImageHeader> {
  const found: Found = { boxes: 0, palette: false, alpha: false, profile: false };
  if ((await source.read(0, 2)).equals(Buffer.of(0xff, 0x4f))) found.shape = await readCodeStream(source);
  else for await (const box of boxes(source, found)) if (await addBox(box, found)) break;
  const { size, bits, components } = required(found.shape, 'The JPEG 2000 file ends or breaks before its size.');
  const color = colorOf(found, components, bits);
  const decoding = { pixelBytes: pixelBytesOf(components, bits) };
  return imageHeader('jp2', { ...found, size, bits, color, decoding, dpi: found.captureDpi ?? found.displayDpi });
}

function colorOf(found: Found, components: number, bits: number): StoredColor {
  if (found.palette) return 'palette';
  const colorComponents = components - (found.alpha ? 1 : 0);
  const byCount = colorComponents === 1 ? 'gray' : colorComponents === 3 ? 'rgb' : 'other';
  const color = found.color ?? byCount;
  return color === 'gray' ? grayOf(bits) : color;
}

/** The boxes of a file, or of a box that contains others, up to the first damaged one. */
async function* boxes(source: ByteSource, found: Found): AsyncGenerator<Box> {
  let offset = 0;
  while (found.boxes < maxBoxes) {
    found.boxes += 1;
    const head = await readExactly(source, offset, 8);
    if (!head) return;
    const short = head.readUInt32BE(0);
    const long = short === 1 ? await readExactly(source, offset + 8, 8) : undefined;
    const headBytes = long ? 16 : 8;
    // A length of 0 means that the box extends to the end of the file.
    const length = long ? Number(long.readBigUInt64BE(0)) : short === 0 ? source.size - offset : short;
    if (length < headBytes) return;
    yield { type: head.toString('latin1', 4, 8), body: sliceSource(source, offset + headBytes, length - headBytes) };
    offset += length;
  }
}

/** Adds the facts of a box; returns whether no later box is needed. */
async function addBox({ type, body }: Box, found: Found): Promise<boolean> {
  if (type === 'jp2h') for await (const box of boxes(body, found)) await addHeader(box, found);
  if (type !== 'jp2c') return false;
  found.shape ??= await readCodeStream(body);
  return true;
}

async function addHeader({ type, body }: Box, found: Found): Promise<void> {
  if (type === 'ihdr') found.shape ??= await readImageHeader(body);
  else if (type === 'bpcc') await addBits(body, found);
  else if (type === 'colr') await addColor(body, found);
  else if (type === 'pclr') found.palette = true;
  else if (type === 'cdef') found.alpha = await hasOpacity(body);
  else if (type === 'res ') for await (const box of boxes(body, found)) await addResolution(box, found);
}

const bitsOf = (coded: number): number => (coded & 0x7f) + 1;

async function readImageHeader(body: ByteSource): Promise<Shape> {
  const head = required(await readExactly(body, 0, 14), 'The JPEG 2000 image header is cut short.');
  const size = { width: head.readUInt32BE(4), height: head.readUInt32BE(0) };
  return { size, components: head.readUInt16BE(8), bits: bitsOf(head.readUInt8(10)) };
}

/** The bits of each component, where they differ; those of the first one are used for all. */
async function addBits(body: ByteSource, found: Found): Promise<void> {
  const first = (await readExactly(body, 0, 1))?.readUInt8(0);
  if (first !== undefined && found.shape) found.shape = { ...found.shape, bits: bitsOf(first) };
}

/** The SIZ marker segment, which must be the first one of a code-stream. */
async function readCodeStream(body: ByteSource): Promise<Shape> {
  const head = required(await readExactly(body, 0, 43), 'The JPEG 2000 code-stream header is cut short.');
  if (head.readUInt32BE(0) !== 0xff4fff51)
    throw new HeaderError('The JPEG 2000 code-stream does not begin with its size.');
  const size = {
    width: head.readUInt32BE(8) - head.readUInt32BE(16),
    height: head.readUInt32BE(12) - head.readUInt32BE(20),
  };
  return { size, components: head.readUInt16BE(40), bits: bitsOf(head.readUInt8(42)) };
}

/** Readers must use the first color specification. */
async function addColor(body: ByteSource, found: Found): Promise<void> {
  const [enumerated, restrictedProfile, anyProfile] = [1, 2, 3];
  const head = await readExactly(body, 0, 7);
  if (!head || found.color) return;
  const method = head.readUInt8(0);
  if (method === enumerated) found.color = enumeratedColors.get(head.readUInt32BE(3)) ?? 'other';
  if (method !== restrictedProfile && method !== anyProfile) return;
  const space = (await readExactly(body, 3 + 16, 4))?.toString('latin1') ?? '';
  found.profile = true;
  found.color = profileColors.get(space) ?? 'other';
}

/** Whether a channel definition names an opacity channel, plain or premultiplied. */
async function hasOpacity(body: ByteSource): Promise<boolean> {
  const maxChannels = 64;
  const count = (await readExactly(body, 0, 2))?.readUInt16BE(0) ?? 0;
  const bytes = await body.read(2, Math.min(count, maxChannels) * 6);
  for (let at = 0; at + 6 <= bytes.length; at += 6) if ([1, 2].includes(bytes.readUInt16BE(at + 2))) return true;
  return false;
}

/** Samples per meter: numerator, denominator and decimal exponent, vertical ones first. */
async function addResolution({ type, body }: Box, found: Found): Promise<void> {
  const bytes = await readExactly(body, 0, 10);
  if (!bytes) return;
  const y = (bytes.readUInt16BE(0) / bytes.readUInt16BE(2)) * 10 ** bytes.readInt8(8);
  const x = (bytes.readUInt16BE(4) / bytes.readUInt16BE(6)) * 10 ** bytes.readInt8(9);
  if (type === 'resc') found.captureDpi = dpiOf(x, y, inchesPerMeter);
  if (type === 'resd') found.displayDpi = dpiOf(x, y, inchesPerMeter);
}
