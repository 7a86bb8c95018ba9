/** Takes code-streams apart and puts them together again, changed: their tile-parts keep right lengths unless these are changed. */
import { readFileSync } from 'node:fs';
import { codeStreamOf } from '../../../test/fixtures/jpeg2000/boxes.mjs';
import { u16, u32 } from './build-code-stream.ts';

export interface EditedTilePart {
  readonly tile: number;
  /** The marker segments between SOT and SOD. */
  readonly header: Buffer;
  readonly packets: Buffer;
  /** Psot, where it is not the length of the tile-part. */
  readonly length?: number;
}

export interface EditedStream {
  /** From SOC up to the first SOT. */
  readonly main: Buffer;
  readonly parts: readonly EditedTilePart[];
}

const sotBytes = 12;

/** A fixture’s code-stream in its parts. */
export function splitFixture(name: string): EditedStream {
  const file = readFileSync(new URL(`../../../test/fixtures/jpeg2000/${name}`, import.meta.url));
  const stream = file.readUInt16BE(0) === 0xff4f ? file : codeStreamOf(file);
  const first = stream.indexOf(Buffer.of(0xff, 0x90, 0, 10));
  const parts: EditedTilePart[] = [];
  for (let at = first; stream.readUInt16BE(at) === 0xff90; ) {
    const end = at + stream.readUInt32BE(at + 6);
    const data = stream.indexOf(Buffer.of(0xff, 0x93), at);
    const header = stream.subarray(at + sotBytes, data);
    parts.push({ tile: stream.readUInt16BE(at + 4), header, packets: stream.subarray(data + 2, end) });
    at = end;
  }
  return { main: stream.subarray(0, first), parts };
}

/** The code-stream of these parts; those of a tile are numbered. */
export function joinStream({ main, parts }: EditedStream): Buffer {
  const counts = new Map<number, number>();
  const joined = parts.map(({ tile, header, packets, length = sotBytes + header.length + 2 + packets.length }) => {
    const number = counts.get(tile) ?? 0;
    counts.set(tile, number + 1);
    const sot = [u16(0xff90), u16(10), u16(tile), u32(length), Buffer.of(number & 255, 0)];
    return Buffer.concat([...sot, header, u16(0xff93), packets]);
  });
  return Buffer.concat([main, ...joined, u16(0xffd9)]);
}

/** The segment with a marker in a header: its position and its body. */
export function findSegment(header: Buffer, marker: number): { readonly at: number; readonly body: Buffer } {
  for (let at = header.readUInt16BE(0) === 0xff4f ? 2 : 0; at + 4 <= header.length; ) {
    const length = header.readUInt16BE(at + 2);
    if (header.readUInt16BE(at) === marker) return { at, body: header.subarray(at + 4, at + 2 + length) };
    at += 2 + length;
  }
  throw new TypeError(`no segment ${marker.toString(16)}`);
}
