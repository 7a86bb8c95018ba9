/** Reads the header of a GIF file: the size to which its first image is decoded, and whether it is transparent. */
import type { Size } from '../../image/model/geometry.ts';
import type { ImageHeader } from '../../image/model/image-set.ts';
import { type ByteSource, readExactly, required } from './byte-source.ts';
import { imageHeader } from './image-facts.ts';

/** There are rarely more than a few extensions before the first image; their data are stored in blocks of up to 255 bytes. */
const maxBlocks = 20_000;

const mark = { extension: 0x21, image: 0x2c } as const;
const graphicControl = 0xf9;
const transparencyFlag = 0x01;

export async function readGif(source: ByteSource): Promise<ImageHeader> {
  const head = required(await readExactly(source, 0, 13), 'The GIF header is cut short.');
  const screen = { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
  const packed = head.readUInt8(10);
  const colorTableBytes = packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0;
  const { alpha, offset } = await readExtensions(source, 13 + colorTableBytes);
  const image = await readImageExtent(source, offset);
  const size = image ? canvasOf(screen, image) : screen;
  return imageHeader('gif', { size, color: 'palette', bits: 8, alpha, decoding: { pixelBytes: 4, heldBytes: 4 } });
}

/** Logical screen sizes that old writers used instead of the size of the image. */
const commonScreens = ['640x480', '640x512', '800x600', '1024x768', '1280x1024', '1600x1200'];
const maxTrustedSide = 2048;

/**
 * The size to which libnsgif, and so libvips, decodes: the logical screen, enlarged to contain the image. It ignores screens
 * that seem to be the writer's display. Regions are cut from the decoded image, so the header must have this size.
 */
function canvasOf(screen: Size, image: Size): Size {
  const { width, height } = screen;
  const trusted =
    Math.min(width, height) > 0 &&
    Math.max(width, height) <= maxTrustedSide &&
    !commonScreens.includes(`${width}x${height}`);
  return trusted ? { width: Math.max(width, image.width), height: Math.max(height, image.height) } : image;
}

/** The right and lower edges of the image at `offset` on the logical screen; undefined where there is none. */
async function readImageExtent(source: ByteSource, offset: number): Promise<Size | undefined> {
  const head = await readExactly(source, offset, 9);
  if (head?.readUInt8(0) !== mark.image) return undefined;
  return { width: head.readUInt16LE(1) + head.readUInt16LE(5), height: head.readUInt16LE(3) + head.readUInt16LE(7) };
}

/** Skips the extensions from `start` on. Returns whether they declare transparency, and where they end. */
async function readExtensions(source: ByteSource, start: number): Promise<{ alpha: boolean; offset: number }> {
  let alpha = false;
  let offset = start;
  for (let blocks = 0; blocks < maxBlocks; blocks++) {
    const head = await readExactly(source, offset, 4);
    if (head?.readUInt8(0) !== mark.extension) break;
    if (head.readUInt8(1) === graphicControl) alpha = (head.readUInt8(3) & transparencyFlag) !== 0;
    offset += 2;
    for (let length = await blockLength(source, offset); length > 0; length = await blockLength(source, offset)) {
      offset += 1 + length;
      blocks += 1;
      if (blocks >= maxBlocks) return { alpha, offset };
    }
    offset += 1;
  }
  return { alpha, offset };
}

/** The length of the data block at `offset`; 0 at the end of a series of blocks, and of the file. */
async function blockLength(source: ByteSource, offset: number): Promise<number> {
  return (await readExactly(source, offset, 1))?.readUInt8(0) ?? 0;
}
