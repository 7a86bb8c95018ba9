/** The length and the picture size of WebM files: elements of EBML (RFC 8794, RFC 9559). */
import type { MediaFacts, MediaSource } from './media-source.ts';

interface Element {
  readonly id: number;
  readonly from: number;
  readonly to: number;
}

/** A number of one to eight bytes, of which the first says how many; undefined where there is none. */
function varint(bytes: Buffer, at: number, keepsMark: boolean): { value: number; length: number } | undefined {
  const first = bytes[at];
  if (first === undefined || first === 0) return undefined;
  const length = Math.clz32(first) - 23;
  if (at + length > bytes.length) return undefined;
  let value = keepsMark ? first : first & (0xff >> length);
  for (let index = 1; index < length; index += 1) value = value * 256 + (bytes[at + index] ?? 0);
  return { value, length };
}

/** All ones: the length is not known, as where a recording was streamed. */
const isUnknown = ({ value, length }: { readonly value: number; readonly length: number }): boolean =>
  value >= 2 ** (7 * length) - 1;

async function* elementsIn({ read }: MediaSource, from: number, to: number): AsyncGenerator<Element> {
  for (let at = from; at < to; ) {
    const head = await read(at, 12);
    const id = varint(head, 0, true);
    const size = id && varint(head, id.length, false);
    if (id === undefined || size === undefined) return;
    const start = at + id.length + size.length;
    const end = isUnknown(size) ? to : Math.min(to, start + size.value);
    yield { id: id.value, from: start, to: end };
    at = end;
  }
}

const ids = {
  segment: 0x18538067,
  info: 0x1549a966,
  scale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  track: 0xae,
  video: 0xe0,
  width: 0xb0,
  height: 0xba,
  cluster: 0x1f43b675,
} as const;

async function numberIn({ read }: MediaSource, { from, to }: Element): Promise<number> {
  const bytes = await read(from, Math.min(8, to - from));
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

async function floatIn({ read }: MediaSource, { from, to }: Element): Promise<number | undefined> {
  const bytes = await read(from, Math.min(8, to - from));
  return bytes.length === 8 ? bytes.readDoubleBE() : bytes.length === 4 ? bytes.readFloatBE() : undefined;
}

async function durationIn(source: MediaSource, info: Element): Promise<number | undefined> {
  let [scale, duration]: [number, number | undefined] = [1_000_000, undefined];
  for await (const element of elementsIn(source, info.from, info.to)) {
    if (element.id === ids.scale) scale = await numberIn(source, element);
    if (element.id === ids.duration) duration = await floatIn(source, element);
  }
  return duration === undefined ? undefined : (duration * scale) / 1e9;
}

/** The size of the first track with a picture. */
async function sizeIn(source: MediaSource, around: Element): Promise<Pick<MediaFacts, 'width' | 'height'>> {
  let size: { width?: number; height?: number } = {};
  for await (const element of elementsIn(source, around.from, around.to)) {
    if (element.id === ids.width) size = { ...size, width: await numberIn(source, element) };
    if (element.id === ids.height) size = { ...size, height: await numberIn(source, element) };
    if (element.id !== ids.track && element.id !== ids.video) continue;
    const inner = await sizeIn(source, element);
    if (inner.width !== undefined && inner.height !== undefined) return inner;
  }
  return size;
}

export async function readWebm(source: MediaSource): Promise<MediaFacts | undefined> {
  let duration: number | undefined;
  let size: Pick<MediaFacts, 'width' | 'height'> = {};
  for await (const segment of elementsIn(source, 0, source.bytes)) {
    if (segment.id !== ids.segment) continue;
    for await (const element of elementsIn(source, segment.from, segment.to)) {
      if (element.id === ids.info) duration = await durationIn(source, element);
      if (element.id === ids.tracks) size = await sizeIn(source, element);
      // What is played begins here.
      if (element.id === ids.cluster) break;
    }
  }
  const isWhole = size.width !== undefined && size.height !== undefined;
  return duration === undefined ? undefined : { duration, ...(isWhole && size) };
}
