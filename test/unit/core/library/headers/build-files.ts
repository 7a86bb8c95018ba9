/** Builds files of the formats other than TIFF from their parts. */
import sharp, { type Sharp } from 'sharp';
import { codeStream, u16, u32 } from '../../../../../packages/jpeg2000/test/build-code-stream.ts';

export * from '../../../../../packages/jpeg2000/test/build-code-stream.ts';

const text = (value: string): Buffer => Buffer.from(value, 'latin1');
const little = (bytes: Buffer): Buffer => Buffer.from(bytes).reverse();

export const jpegSegment = (marker: number, ...body: Buffer[]): Buffer => {
  const bytes = Buffer.concat(body);
  return Buffer.concat([Buffer.of(0xff, marker), u16(bytes.length + 2), bytes]);
};

export const jfif = (units: number, x: number, y: number): Buffer =>
  jpegSegment(0xe0, text('JFIF\0'), Buffer.of(1, 1, units), u16(x), u16(y), Buffer.of(0, 0));

export const exifSegment = (tiff: Buffer): Buffer => jpegSegment(0xe1, text('Exif\0\0'), tiff);
export const profileSegment = (): Buffer => jpegSegment(0xe2, text('ICC_PROFILE\0'), Buffer.of(1, 1), Buffer.alloc(20));

export const frame = (width: number, height: number, components = 3, marker = 0xc0, bits = 8): Buffer =>
  jpegSegment(marker, Buffer.of(bits), u16(height), u16(width), Buffer.of(components), Buffer.alloc(components * 3));

export const scan = (): Buffer =>
  Buffer.concat([jpegSegment(0xda, Buffer.of(1, 1, 0, 0, 63, 0)), Buffer.of(0, 0xff, 0xd9)]);

export const jpeg = (...segments: Buffer[]): Buffer => Buffer.concat([Buffer.of(0xff, 0xd8), ...segments, scan()]);

/** Checksums are zero: no header reader checks them. */
export const pngChunk = (type: string, ...data: Buffer[]): Buffer => {
  const bytes = Buffer.concat(data);
  return Buffer.concat([u32(bytes.length), text(type), bytes, u32(0)]);
};

export const pngSignature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

export const png = (
  image: { width?: number; height?: number; bits?: number; type?: number },
  ...chunks: Buffer[]
): Buffer => {
  const { width = 30, height = 20, bits = 8, type = 2 } = image;
  const ihdr = pngChunk('IHDR', u32(width), u32(height), Buffer.of(bits, type, 0, 0, 0));
  return Buffer.concat([pngSignature, ihdr, ...chunks, pngChunk('IDAT', Buffer.alloc(9)), pngChunk('IEND')]);
};

export interface GifParts {
  readonly screen: readonly [number, number];
  readonly image: readonly [left: number, top: number, width: number, height: number];
  readonly extensions?: readonly Buffer[];
}

export const gif = ({ screen, image, extensions = [] }: GifParts): Buffer =>
  Buffer.concat([
    text('GIF89a'),
    ...screen.map((side) => little(u16(side))),
    Buffer.of(0x80, 0, 0, 0, 0, 0, 255, 255, 255),
    ...extensions,
    Buffer.of(0x2c),
    ...image.map((side) => little(u16(side))),
    Buffer.of(0, 2, 1, 0, 0, 0x3b),
  ]);

export const graphicControl = (packed: number): Buffer => Buffer.of(0x21, 0xf9, 4, packed, 0, 0, 0, 0);

export const webpChunk = (type: string, ...data: Buffer[]): Buffer => {
  const bytes = Buffer.concat(data);
  return Buffer.concat([text(type), little(u32(bytes.length)), bytes, Buffer.alloc(bytes.length % 2)]);
};

export const webp = (...chunks: Buffer[]): Buffer => {
  const body = Buffer.concat([text('WEBP'), ...chunks]);
  return Buffer.concat([text('RIFF'), little(u32(body.length)), body]);
};

export const extended = (flags: number, width: number, height: number): Buffer =>
  webpChunk('VP8X', little(u32(flags)), little(u32(width - 1)).subarray(0, 3), little(u32(height - 1)).subarray(0, 3));

export const box = (type: string, ...body: Buffer[]): Buffer => {
  const bytes = Buffer.concat(body);
  return Buffer.concat([u32(bytes.length + 8), text(type), bytes]);
};

export const jp2Signature = Buffer.concat([u32(12), text('jP  '), Buffer.of(0x0d, 0x0a, 0x87, 0x0a)]);

export const ihdr = (width: number, height: number, components = 3, bits = 8): Buffer =>
  box('ihdr', u32(height), u32(width), u16(components), Buffer.of(bits === 0 ? 255 : bits - 1, 7, 0, 0));

export const enumeratedColor = (space: number): Buffer => box('colr', Buffer.of(1, 0, 0), u32(space));
export const profileColor = (space: string): Buffer =>
  box('colr', Buffer.of(2, 0, 0), Buffer.alloc(16), text(space), Buffer.alloc(16), text('acsp'), Buffer.alloc(88));

/** Samples per meter along x and y as numerator, denominator and exponent. */
export const resolutionBox = (type: string, x: readonly [number, number, number], y = x): Buffer =>
  box(type, u16(y[0]), u16(y[1]), u16(x[0]), u16(x[1]), Buffer.from(Int8Array.of(y[2], x[2])));

/** Boxes around a code-stream. */
export const jp2With = (stream: Buffer, ...header: Buffer[]): Buffer =>
  Buffer.concat([
    jp2Signature,
    box('ftyp', text('jp2 '), u32(0), text('jp2 ')),
    box('jp2h', ...header),
    box('jp2c', stream),
  ]);

export const jp2 = (...header: Buffer[]): Buffer => jp2With(codeStream(30, 20), ...header);

/** An image with some content, so that encoders do not simplify it. */
export function sample(width: number, height: number, channels: 3 | 4 = 3): Sharp {
  const pixels = Buffer.alloc(width * height * channels, 0);
  for (let at = 0; at < pixels.length; at++) pixels[at] = (at * 37 + Math.floor(at / (width * channels)) * 11) % 256;
  return sharp(pixels, { raw: { width, height, channels } });
}
