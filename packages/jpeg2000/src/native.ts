/** Decodes code-streams with the system’s OpenJPEG, where the package `@lectern/openjpeg-native` is installed and was built. */
import { createRequire } from 'node:module';
import type { CutCodeStream } from './cut.ts';
import { Jpeg2000Error, requireSound } from './error.ts';
import { areaOf, type Box, intersectBoxes } from './geometry.ts';
import type { SpacedSamples } from './openjpeg.ts';
import { blockStyles } from './packet.ts';
import { moveBox } from './shift-to-origin.ts';

/** One component; unsigned. */
interface NativeComponent {
  readonly samples: Uint8Array | Uint16Array;
  readonly width: number;
  readonly height: number;
  readonly bits: number;
}

/** What the package exports. */
export interface NativeDecoder {
  /** OpenJPEG’s. */
  readonly version: string;
  /** Decodes a part, in pixels of the reference grid. Throws an error with the code `damaged`, `memory` or `unsupported`. */
  decode(
    bytes: Uint8Array,
    left: number,
    top: number,
    right: number,
    bottom: number,
    reduction: number,
    maxBytes: number,
  ): readonly NativeComponent[];
}

const require = createRequire(import.meta.url);

/** The decoder, or undefined where it is not installed, was not built, or the system lacks its library. */
export function findNativeDecoder(): NativeDecoder | undefined {
  try {
    return require('@lectern/openjpeg-native') as NativeDecoder;
  } catch {
    return undefined;
  }
}

/** Whose decoder is used, for those who run it. */
export function decoderName(): string {
  const native = findNativeDecoder();
  return native ? `OpenJPEG ${native.version} of the system` : 'OpenJPEG in WebAssembly';
}

/** Of more than this share of a code-stream all is decoded: OpenJPEG takes longer for each sample of a part. */
const maxShare = 0.5;

/**
 * How far a part has to reach beyond a region for exact samples. Each level of the wavelet needs half as many samples of the next one beyond
 * the edge as are needed of itself, and one more with the 5-3 filter, two with the 9-7 filter: 2 and 4 at most. OpenJPEG takes 2 and 3.
 */
const edgeOf = ({ transform, levels }: CutCodeStream['codings'][number]): number => (transform === 1 ? 0 : 2 ** levels);

/** What has to be decoded for a region. Parts of code-blocks with High-Throughput coding can be wrong (2.5.0). */
function partOf({ box, codings }: CutCodeStream, { left, top, right, bottom }: Box): Box {
  if (codings.some(({ blockStyle }) => blockStyle & blockStyles.highThroughput)) return box;
  const edge = Math.max(...codings.map(edgeOf));
  const part = intersectBoxes({ left: left - edge, top: top - edge, right: right + edge, bottom: bottom + edge }, box);
  return areaOf(part) > areaOf(box) * maxShare ? box : part;
}

/** Decodes the components of a part of a tile, in their order; those of `region` at least. Throws Jpeg2000Error. */
export function decodeNatively(
  native: NativeDecoder,
  cut: CutCodeStream,
  region: Box,
  maxBytes: number,
): readonly SpacedSamples[] {
  const { bytes, box, placed, bits } = cut;
  const part = partOf(cut, region);
  const { left, top, right, bottom } = moveBox(part, { x: box.left - placed.left, y: box.top - placed.top });
  try {
    const components = native.decode(bytes, left, top, right, bottom, 0, maxBytes);
    const isRight = components.every(({ width, height }) => width === right - left && height === bottom - top);
    requireSound(isRight && components.length === bits.length, 'the decoder yields other samples');
    return components.map(({ samples }) => ({ box: part, samples, first: 0, step: 1 }));
  } catch (error) {
    if (error instanceof Jpeg2000Error) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Jpeg2000Error(code === 'memory' ? code : 'damaged', message, { cause: error });
  }
}
