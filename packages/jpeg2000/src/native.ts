/** Decodes code-streams with the system’s OpenJPEG, where the package `@lectern/openjpeg-native` is installed and was built. */
import { createRequire } from 'node:module';
import type { ComponentCoding } from './coding.ts';
import type { CutCodeStream } from './cut.ts';
import { Jpeg2000Error, requireSound } from './error.ts';
import { type Box, growBox, intersectBoxes } from './geometry.ts';
import type { SpacedSamples } from './openjpeg.ts';
import { blockStyles } from './packet.ts';
import { moveBox } from './shift-to-origin.ts';

/** One component: every `step`th of some samples from `first` on, row by row; unsigned. */
export interface NativeComponent extends Pick<SpacedSamples, 'first' | 'step'> {
  /** Of all components, where they have the same size and all of them at most or more than 8 bits. */
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

/**
 * How far a part has to reach beyond a region for exact samples. Each level of the wavelet needs half as many samples of the next one beyond
 * the edge as are needed of itself, and one more with the 5-3 filter, two with the 9-7 filter: 2 and 4 at most. OpenJPEG takes 2 and 3.
 */
export const edgeOf = ({ transform, levels }: ComponentCoding): number => (transform === 1 ? 0 : 2 ** levels);

/** Whether a part is as it is in all of the image: parts of code-blocks with High-Throughput coding can be wrong (2.5.0). */
export const isPartExact = (codings: readonly ComponentCoding[]): boolean =>
  codings.every(({ blockStyle }) => (blockStyle & blockStyles.highThroughput) === 0);

/** What has to be decoded for a region. */
function partOf({ box, codings }: CutCodeStream, region: Box): Box {
  if (!isPartExact(codings)) return box;
  return intersectBoxes(growBox(region, Math.max(...codings.map(edgeOf))), box);
}

/** What is decoded of a code-stream. */
interface NativePart {
  readonly bytes: Uint8Array;
  /** In pixels of the reference grid. */
  readonly area: Box;
  readonly reduction: number;
  readonly maxBytes: number;
}

/** Decodes components. Throws Jpeg2000Error. */
export function decode(
  native: NativeDecoder,
  { bytes, area, reduction, maxBytes }: NativePart,
): readonly NativeComponent[] {
  const { left, top, right, bottom } = area;
  try {
    return native.decode(bytes, left, top, right, bottom, reduction, maxBytes);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Jpeg2000Error(code === 'memory' ? code : 'damaged', message, { cause: error });
  }
}

/** Samples of so many components as those of a box. Throws Jpeg2000Error where they are others. */
export function samplesIn(components: readonly NativeComponent[], count: number, box: Box): readonly SpacedSamples[] {
  const isRight = ({ width, height }: NativeComponent): boolean =>
    width === box.right - box.left && height === box.bottom - box.top;
  requireSound(components.length === count && components.every(isRight), 'the decoder yields other samples');
  return components.map(({ samples, first, step }) => ({ box, samples, first, step }));
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
  const area = moveBox(part, { x: box.left - placed.left, y: box.top - placed.top });
  return samplesIn(decode(native, { bytes, area, reduction: 0, maxBytes }), bits.length, part);
}
