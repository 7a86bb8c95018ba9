/** The samples of components, each a plane of its own. */
import type { CutCodeStream } from './cut-code-stream.ts';
import { CodeStreamDamage } from './damage.ts';
import { decodeStream } from './openjpeg.ts';
import { decodeWithProgram } from './opj-decompress.ts';
import { opjVariable } from './opj-program.ts';
import { type Box, intersectBoxes } from './tile-geometry.ts';
import { wrapComponent } from './wrap-jp2.ts';

/** Samples among others: every `step`th from `first` on, row by row. */
export interface SpacedSamples {
  readonly box: Box;
  readonly samples: Uint8Array | Uint8ClampedArray | Uint16Array;
  readonly first: number;
  readonly step: number;
}

/** The samples of a component in a box; unsigned, with as many bits as the component has. */
export interface Plane extends SpacedSamples {
  readonly bits: number;
}

/** A plane of zeros, without other samples among them. */
export function createPlane(box: Box, bits: number): Plane {
  const count = (box.right - box.left) * (box.bottom - box.top);
  return { box, bits, samples: bits > 8 ? new Uint16Array(count) : new Uint8Array(count), first: 0, step: 1 };
}

/** Copies the samples of a region that a plane, which has no others among its own, shares with others. */
export function copyToPlane({ box: source, samples, first, step }: SpacedSamples, region: Box, plane: Plane): void {
  const shared = intersectBoxes(intersectBoxes(source, region), plane.box);
  const sourceWidth = source.right - source.left;
  const planeWidth = plane.box.right - plane.box.left;
  const count = shared.right - shared.left;
  for (let y = shared.top; y < shared.bottom; y++) {
    let from = ((y - source.top) * sourceWidth + shared.left - source.left) * step + first;
    let to = (y - plane.box.top) * planeWidth + shared.left - plane.box.left;
    for (const end = to + count; to < end; to++, from += step) plane.samples[to] = samples[from] ?? 0;
  }
}

function samplesOf(bytes: Uint8ClampedArray, bits: number): Uint8ClampedArray | Uint16Array {
  return bits > 8 ? new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 1) : bytes;
}

/**
 * From this number of coded bytes on, which OpenJPEG takes some 100 ms for, a program of its own pays: to start it takes 10 to 40 ms, and
 * WebAssembly half as long again as the machine’s own code.
 */
const programBytes = 400_000;

/** The path of opj_decompress, where this process may use it. */
const opjDecompress = process.env[opjVariable] || undefined;

/** How often WebAssembly has to decode a code-stream: its interface has three components together up to 8 bits only. */
const passesOf = ({ bits }: CutCodeStream): number => (Math.max(...bits) > 8 ? bits.length : 1);

const isForProgram = (cut: CutCodeStream): boolean =>
  cut.bytes.length * passesOf(cut) > programBytes && new Set(cut.bits).size === 1;

/** Decodes with opj_decompress. Rejects with CodeStreamDamage. */
export async function decodeByProgram(cut: CutCodeStream, program: string): Promise<readonly SpacedSamples[]> {
  const { bytes: stream, box, bits } = cut;
  const count = (box.right - box.left) * (box.bottom - box.top);
  const decode = { program, stream, count, components: bits.length, bits: bits[0] ?? 0 };
  return (await decodeWithProgram(decode)).map((samples) => ({ box, samples, first: 0, step: 1 }));
}

/**
 * Decodes the components of a part of a tile, in their order: with opj_decompress where it may be used and is faster, else, and where it
 * fails, in WebAssembly. Rejects as `decodeStream`.
 */
export async function decodePlanes(cut: CutCodeStream, maxBytes: number): Promise<readonly SpacedSamples[]> {
  if (opjDecompress === undefined || !isForProgram(cut)) return decodeInSandbox(cut, maxBytes);
  try {
    return await decodeByProgram(cut, opjDecompress);
  } catch {
    return decodeInSandbox(cut, maxBytes);
  }
}

/** Decodes in WebAssembly. Rejects as `decodeStream`. */
export async function decodeInSandbox(cut: CutCodeStream, maxBytes: number): Promise<readonly SpacedSamples[]> {
  const { box, bits } = cut;
  const [only = 0] = bits;
  if (bits.length === 1) {
    const samples = samplesOf(await decodeChecked(cut.bytes, cut, 1, maxBytes), only);
    return [{ box, samples, first: 0, step: 1 }];
  }
  if (bits.every((each) => each <= 8)) {
    const samples = await decodeChecked(cut.bytes, cut, 3, maxBytes);
    return bits.map((_, first) => ({ box, samples, first, step: 3 }));
  }
  // The decoder's interface has no three components of more than 8 bits, but each of them in turn.
  const planes: SpacedSamples[] = [];
  for (const [component, each] of bits.entries()) {
    const { right: width, bottom: height } = cut.placed;
    const file = wrapComponent(cut.bytes, { component, components: bits.length, bits: each, width, height });
    const samples = samplesOf(await decodeChecked(file, cut, 1, maxBytes), each);
    planes.push({ box, samples, first: 0, step: 1 });
  }
  return planes;
}

/** The decoded bytes, of which there are at least as many as the part has samples. */
async function decodeChecked(stream: Uint8Array, { box, bits }: CutCodeStream, components: number, maxBytes: number) {
  const { samples, componentCount } = await decodeStream(stream, maxBytes);
  const sampleBytes = components === 1 && Math.max(...bits) > 8 ? 2 : 1;
  const count = (box.right - box.left) * (box.bottom - box.top) * components * sampleBytes;
  if (componentCount !== components || samples.length < count)
    throw new CodeStreamDamage('the decoder yields other samples');
  return samples;
}
