/** The length of WAV, FLAC, Ogg and MP3 files. */
import type { MediaFacts, MediaSource } from './media-source.ts';

const textAt = (bytes: Buffer, at: number, length: number): string => bytes.toString('latin1', at, at + length);

/** RIFF: chunks with their lengths, of which `fmt ` has the bytes of a second and `data` is the sound. */
export async function readWav({ bytes, read }: MediaSource): Promise<MediaFacts | undefined> {
  const head = await read(0, 12);
  if (textAt(head, 0, 4) !== 'RIFF' || textAt(head, 8, 4) !== 'WAVE') return undefined;
  let bytesOfSecond = 0;
  for (let at = 12; at + 8 <= bytes; ) {
    const chunk = await read(at, 24);
    if (chunk.length < 8) return undefined;
    const [name, length] = [textAt(chunk, 0, 4), chunk.readUInt32LE(4)];
    if (name === 'fmt ' && chunk.length >= 20) bytesOfSecond = chunk.readUInt32LE(16);
    if (name === 'data') {
      // Recorders that were cut off leave a length of all ones, or none.
      const there = Math.min(length || bytes, bytes - at - 8);
      return bytesOfSecond > 0 ? { duration: there / bytesOfSecond } : undefined;
    }
    at += 8 + length + (length % 2);
  }
  return undefined;
}

/** Where the sound begins behind a tag of ID3v2, if there is one. */
async function behindId3({ read }: MediaSource): Promise<number> {
  const head = await read(0, 10);
  if (head.length < 10 || textAt(head, 0, 3) !== 'ID3') return 0;
  const [a = 0, b = 0, c = 0, d = 0] = head.subarray(6, 10);
  const footer = (head.readUInt8(5) & 0x10) !== 0 ? 10 : 0;
  return 10 + footer + (((a & 0x7f) << 21) | ((b & 0x7f) << 14) | ((c & 0x7f) << 7) | (d & 0x7f));
}

/** The first block of metadata has the rate in 20 bits and the number of samples in 36 (RFC 9639, section 8.2). */
export async function readFlac(source: MediaSource): Promise<MediaFacts | undefined> {
  const at = await behindId3(source);
  const head = await source.read(at, 42);
  if (head.length < 42 || textAt(head, 0, 4) !== 'fLaC') return undefined;
  const rate = head.readUIntBE(18, 3) >>> 4;
  const samples = (head.readUInt8(21) & 0x0f) * 2 ** 32 + head.readUInt32BE(22);
  return rate > 0 ? { duration: samples / rate } : undefined;
}

/** The last page of a stream is somewhere in so many bytes at the end: none is longer. */
const longestPage = 65_307;

/** The rate of what the first page begins with, and the samples before the beginning. */
function oggRate(page: Buffer): { readonly rate: number; readonly skipped: number } | undefined {
  const vorbis = page.indexOf('\u0001vorbis', 0, 'latin1');
  if (vorbis >= 0 && vorbis + 16 <= page.length) return { rate: page.readUInt32LE(vorbis + 12), skipped: 0 };
  const opus = page.indexOf('OpusHead', 0, 'latin1');
  // Opus counts in 48 kHz, whatever was recorded (RFC 7845, section 4).
  if (opus >= 0 && opus + 12 <= page.length) return { rate: 48_000, skipped: page.readUInt16LE(opus + 10) };
  const flac = page.indexOf('fLaC', 0, 'latin1');
  return flac >= 0 && flac + 21 <= page.length ? { rate: page.readUIntBE(flac + 18, 3) >>> 4, skipped: 0 } : undefined;
}

/** The last page says how many samples there are (RFC 3533, section 6). */
export async function readOgg({ bytes, read }: MediaSource): Promise<MediaFacts | undefined> {
  const first = await read(0, 512);
  if (textAt(first, 0, 4) !== 'OggS') return undefined;
  const found = oggRate(first);
  const from = Math.max(0, bytes - longestPage);
  const end = await read(from, bytes - from);
  const last = end.lastIndexOf('OggS', undefined, 'latin1');
  if (found === undefined || found.rate === 0 || last < 0 || last + 14 > end.length) return undefined;
  const samples = Number(end.readBigInt64LE(last + 6)) - found.skipped;
  return { duration: samples / found.rate };
}

interface Mp3Frame {
  readonly rate: number;
  readonly samples: number;
  /** Bits per second. */
  readonly bits: number;
  /** Where a header of Xing begins in the frame. */
  readonly side: number;
}

const kilobits = {
  one: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  two: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;

/** The header of a frame of layer III; undefined where there is none. */
function frameAt(bytes: Buffer, at: number): Mp3Frame | undefined {
  if (at + 4 > bytes.length) return undefined;
  const head = bytes.readUInt32BE(at);
  const [version, layer, bits, rate] = [(head >>> 19) & 3, (head >>> 17) & 3, (head >>> 12) & 15, (head >>> 10) & 3];
  if (head >>> 21 !== 0x7ff || version === 1 || layer !== 1 || rate === 3) return undefined;
  const isOne = version === 3;
  const kilo = kilobits[isOne ? 'one' : 'two'][bits] ?? 0;
  const isMono = ((head >>> 6) & 3) === 3;
  const side = isOne ? (isMono ? 17 : 32) : isMono ? 9 : 17;
  const hertz = ([44_100, 48_000, 32_000][rate] ?? 0) / (isOne ? 1 : version === 2 ? 2 : 4);
  return kilo === 0 ? undefined : { rate: hertz, samples: isOne ? 1152 : 576, bits: kilo * 1000, side: 4 + side };
}

/** The number of frames that an encoder has written into the first one. */
function framesSaid(bytes: Buffer, at: number, { side }: Mp3Frame): number | undefined {
  const xing = at + side;
  const name = textAt(bytes, xing, 4);
  if ((name === 'Xing' || name === 'Info') && xing + 12 <= bytes.length) {
    return (bytes.readUInt32BE(xing + 4) & 1) === 1 ? bytes.readUInt32BE(xing + 8) : undefined;
  }
  const vbri = at + 36;
  return textAt(bytes, vbri, 4) === 'VBRI' && vbri + 18 <= bytes.length ? bytes.readUInt32BE(vbri + 14) : undefined;
}

/** By the number of frames, or else as if all of them had the bits of the first. */
export async function readMp3(source: MediaSource): Promise<MediaFacts | undefined> {
  const start = await behindId3(source);
  const part = await source.read(start, 64 * 1024);
  for (let at = 0; at + 4 <= part.length; at += 1) {
    const frame = frameAt(part, at);
    if (frame === undefined) continue;
    const frames = framesSaid(part, at, frame);
    if (frames !== undefined) return { duration: (frames * frame.samples) / frame.rate };
    return { duration: ((source.bytes - start - at) * 8) / frame.bits };
  }
  return undefined;
}
