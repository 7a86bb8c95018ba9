/** The length and the picture size of MP4 and M4A files: boxes within boxes (ISO 14496-12). */
import type { MediaFacts, MediaSource } from './media-source.ts';

interface Box {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** The boxes between two positions, as far as their lengths make sense. */
async function* boxesIn({ read }: MediaSource, from: number, to: number): AsyncGenerator<Box> {
  for (let at = from; at + 8 <= to; ) {
    const head = await read(at, 16);
    if (head.length < 8) return;
    const short = head.readUInt32BE(0);
    const isLong = short === 1 && head.length >= 16;
    const length = short === 0 ? to - at : isLong ? Number(head.readBigUInt64BE(8)) : short;
    const start = isLong ? 16 : 8;
    if (length < start || at + length > to) return;
    yield { name: head.toString('latin1', 4, 8), from: at + start, to: at + length };
    at += length;
  }
}

async function boxNamed(source: MediaSource, around: Pick<Box, 'from' | 'to'>, name: string): Promise<Box | undefined> {
  for await (const box of boxesIn(source, around.from, around.to)) if (box.name === name) return box;
  return undefined;
}

/** `mvhd`: the length in units of the time scale, in 32 or 64 bits by the version. */
async function durationIn({ read }: MediaSource, { from }: Box): Promise<number | undefined> {
  const body = await read(from, 32);
  if (body.length < 32) return undefined;
  const isLong = body.readUInt8(0) === 1;
  const scale = body.readUInt32BE(isLong ? 20 : 12);
  const length = isLong ? Number(body.readBigUInt64BE(24)) : body.readUInt32BE(16);
  return scale > 0 ? length / scale : undefined;
}

interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** `tkhd` ends with its matrix and the size in 16.16 bits; a turn by 90 degrees swaps the sides. */
async function sizeIn(source: MediaSource, track: Box): Promise<PictureSize | undefined> {
  const head = await boxNamed(source, track, 'tkhd');
  if (head === undefined) return undefined;
  const end = await source.read(head.to - 44, 44);
  if (end.length < 44) return undefined;
  const [width, height] = [end.readUInt32BE(36) / 65_536, end.readUInt32BE(40) / 65_536].map(Math.round);
  if (!width || !height) return undefined;
  const isTurned = end.readInt32BE(0) === 0 && end.readInt32BE(4) !== 0;
  return isTurned ? { width: height, height: width } : { width, height };
}

export async function readMp4(source: MediaSource): Promise<MediaFacts | undefined> {
  const movie = await boxNamed(source, { from: 0, to: source.bytes }, 'moov');
  const head = movie && (await boxNamed(source, movie, 'mvhd'));
  const duration = head && (await durationIn(source, head));
  if (movie === undefined || duration === undefined) return undefined;
  for await (const box of boxesIn(source, movie.from, movie.to)) {
    const size = box.name === 'trak' ? await sizeIn(source, box) : undefined;
    if (size !== undefined) return { duration, ...size };
  }
  return { duration };
}
