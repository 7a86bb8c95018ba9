/** Has V8 optimize the decoder before the first picture: until then it takes several times as long. */
import type { CodeBlock } from './code-blocks.ts';
import { decodeStream } from './openjpeg.ts';
import { type WrittenComponent, writeCodeStream } from './write-code-stream.ts';

const side = 256;
const box = { left: 0, top: 0, right: side, bottom: side };
const levels = 2;
const blockBytes = 800;
const subbands = 3 * levels + 1;

/** The decoder needs a few megabytes. */
const maxBytes = 64 * 2 ** 20;

/** Step sizes with two guard bits and an exponent of 10 for all subbands: 11 bit-planes (tables A.28 to A.30). */
const quantization = Uint8Array.from([0x42, ...Array.from({ length: subbands }, () => [10 << 3, 0]).flat()]);

/** A code-block of eight bit-planes in 22 passes. */
const block: CodeBlock = {
  zeroBitPlanes: 3,
  lengthBits: 3,
  segments: [{ passes: 22, maxPasses: 164, bytes: blockBytes, pieces: [{ start: 0, end: blockBytes }] }],
};

/** Bytes without pattern, none of which is 0xFF: the arithmetic decoder takes any for a code-block. */
function randomBytes(): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length: blockBytes }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 16) % 0xff;
  });
}

/** A code-stream of random code-blocks in three components. */
export function randomStream(): Uint8Array {
  const component: WrittenComponent = {
    bits: 8,
    coding: {
      levels,
      blockWidth: 6,
      blockHeight: 6,
      blockStyle: 0,
      transform: 0,
      precincts: Array.from({ length: levels + 1 }, () => ({ width: 15, height: 15 })),
    },
    quantization,
    roiShift: 0,
  };
  const tiles = [{ box, findBlocks: () => () => block }];
  const bytes = randomBytes();
  return writeCodeStream(
    {
      box,
      cell: box,
      tiles,
      components: [component, component, component],
      componentTransform: true,
      capabilities: undefined,
    },
    () => bytes,
  );
}

let prepared: Promise<unknown> | undefined;

/** Decodes a code-stream, once in a process. Never rejects: where that fails, the first picture takes longer. */
export async function prepareDecoder(): Promise<void> {
  prepared ??= decodeStream(randomStream(), maxBytes).catch(() => undefined);
  await prepared;
}
