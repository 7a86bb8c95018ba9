/** Reads a packet: its header, and where the parts of its body are (ISO 15444-1, sections B.9 and B.10). */
import { BitReader } from './bits.ts';
import { appended, type OpenBlockArray, readPacketHeader } from './code-blocks.ts';
import type { Range } from './code-stream.ts';
import type { CodeStreamBytes } from './code-stream-bytes.ts';
import { marker } from './coding-parameters.ts';
import { CodeStreamDamage, requireSound } from './damage.ts';

/** Where a packet begins. */
export interface PacketPlace {
  readonly position: number;
  /** The packets of its tile-part. */
  readonly range: Range;
  /** The packet headers of its tile, where they are not among the packets, and where in them the packet’s begins. */
  readonly packed: { readonly bytes: Uint8Array; readonly position: number } | undefined;
}

export interface PacketEnd {
  readonly end: number;
  /** Where the next header begins among packed headers; 0 where there are none. */
  readonly packedEnd: number;
}

type ByteAt = (position: number) => number;

const isMarker = (byteAt: ByteAt, position: number, end: number, wanted: number): boolean =>
  position + 1 < end && byteAt(position) === wanted >> 8 && byteAt(position + 1) === (wanted & 255);

function byteOf(bytes: Uint8Array): ByteAt {
  return (position) => {
    const byte = bytes[position];
    if (byte === undefined) throw new CodeStreamDamage('the packet headers end early');
    return byte;
  };
}

/** Reads the packet of a layer, which adds to the code-blocks of a precinct. Throws CodeStreamDamage. */
export function readPacket(
  bytes: CodeStreamBytes,
  { position: start, range, packed }: PacketPlace,
  arrays: readonly OpenBlockArray[],
  layer: number,
  blockStyle: number,
): PacketEnd {
  const byteAt = (position: number): number => {
    if (position >= range.end) throw new CodeStreamDamage('a packet goes beyond its tile-part');
    return bytes.byteAt(position);
  };
  let position = start;
  if (isMarker(byteAt, position, range.end, marker.sop)) position += 6;
  const headerAt = packed ? byteOf(packed.bytes) : byteAt;
  const bits = new BitReader(headerAt, packed ? packed.position : position);
  const contributions = readPacketHeader(bits, arrays, layer, blockStyle);
  let end = bits.end();
  if (isMarker(headerAt, end, packed?.bytes.length ?? range.end, marker.eph)) end += 2;
  if (packed === undefined) position = end;
  for (const { segment, bytes: length } of contributions) {
    requireSound(position + length <= range.end, 'a packet goes beyond its tile-part');
    segment.bytes += length;
    if (length > 0) segment.pieces = appended(segment.pieces, { start: position, end: position + length });
    position += length;
  }
  return { end: position, packedEnd: packed ? end : 0 };
}
