/** Finds the code-blocks of a tile by reading the headers of its packets (ISO 15444-1, sections B.9 and B.10). */

import type { CodeStreamBytes } from './bytes.ts';
import type { TileCoding } from './coding.ts';
import { isDamage, Jpeg2000Error, requireSound } from './error.ts';
import type { Range } from './file-parts.ts';
import { type Box, ceilDiv, divideBox, type Resolution, resolutionsOf } from './geometry.ts';
import type { CodeStream } from './model.ts';
import {
  appended,
  type BlockArray,
  closeBlockArray,
  createBlockArrays,
  type OpenBlockArray,
  readPacket,
} from './packet.ts';
import { type PrecinctPlace, packetOrder, placePrecincts } from './packet-order.ts';
import type { TileStream } from './tile-parts.ts';

/** Precincts and code-blocks of one tile: each takes memory here. More come only from a header that was made to do harm. */
export const maxPrecincts = 2 ** 20;
export const maxBlocks = 2 ** 20;

/** What tiles may have: precincts, and packets whose lengths the file says. */
export interface TileLimits {
  readonly precincts: number;
  readonly packets: number;
}

const tileLimits: TileLimits = { precincts: maxPrecincts, packets: Number.POSITIVE_INFINITY };

/** A precinct of a resolution of a component, by its number in that. */
export type WantedPrecinct = Pick<PrecinctPlace, 'component' | 'resolution' | 'index'>;

/** A class, since copies of objects with more properties take ten times as long to make: an image without tiles has thousands. */
class Precinct implements PrecinctPlace {
  readonly component: number;
  readonly resolution: number;
  readonly index: number;
  readonly x: number;
  readonly y: number;
  /** While its packets are read. */
  open: readonly OpenBlockArray[] | undefined;
  /** When all of them were read. */
  arrays: readonly BlockArray[] | undefined;
  /** Layers whose packets were read. */
  layers = 0;
  /** Where its packets begin and end, by layer, where their lengths are given. */
  starts: number[] = [];
  ends: number[] = [];

  constructor({ component, resolution, index, x, y }: PrecinctPlace) {
    this.component = component;
    this.resolution = resolution;
    this.index = index;
    this.x = x;
    this.y = y;
  }
}

/** The number of code-blocks of a resolution, roughly. */
export function countBlocks({ box, blockWidth, blockHeight, columns, rows }: Resolution): number {
  return (
    (ceilDiv(box.right - box.left, 2 ** blockWidth) + 2 * columns) *
    (ceilDiv(box.bottom - box.top, 2 ** blockHeight) + 2 * rows)
  );
}

/** Whether the packets of a resolution come before all of the next one. */
export function isByResolution({ progression, layers, changes }: TileCoding): boolean {
  const { length } = changes;
  return length === 0 && (progression === 'RLCP' || progression === 'RPCL' || (progression === 'LRCP' && layers === 1));
}

const haveSameLevels = ({ components }: TileCoding): boolean =>
  components.every(({ levels }) => levels === components[0]?.levels);

/** How many of a tile’s largest resolutions can be left out where an image is halved so often: their packets come last. */
export const unneededResolutions = (coding: TileCoding, reduction: number): number =>
  isByResolution(coding) && haveSameLevels(coding) ? reduction : 0;

export class TilePackets {
  /** For each component, its resolutions, the smallest first, without those that are left out. */
  readonly components: readonly (readonly Resolution[])[];
  readonly stream: TileStream;
  /** Number of code-blocks, roughly. */
  readonly blockCount: number;
  readonly #precincts: readonly Precinct[];
  readonly #firsts: readonly (readonly number[])[];
  readonly #order: Iterator<{ readonly precinct: Precinct; readonly layer: number }>;
  /** Where the next packet is, if its predecessors were read. */
  #range = 0;
  #position: number;
  #packedPosition = 0;
  #done = false;
  /** Whether the file says where each packet is. */
  #isLocated = false;
  #damage: Jpeg2000Error | undefined;

  /**
   * `box` is the tile’s on the reference grid; `leftOut` of the largest resolutions are not read. Throws Jpeg2000Error `too-large` for tiles of
   * absurdly many parts.
   */
  constructor(facts: CodeStream, stream: TileStream, box: Box, leftOut = 0, limits: TileLimits = tileLimits) {
    const { coding } = stream;
    this.stream = stream;
    const placed = facts.components.map(({ dx, dy }, index) => {
      const component = coding.components[index];
      requireSound(component !== undefined, 'a component without coding style');
      const count = Math.max(1, component.levels + 1 - leftOut);
      return { dx, dy, levels: component.levels, resolutions: resolutionsOf(divideBox(box, dx, dy), component, count) };
    });
    this.components = placed.map(({ resolutions }) => resolutions);
    const all = this.components.flat();
    const precincts = all.reduce((sum, { columns, rows }) => sum + columns * rows, 0);
    this.blockCount = all.reduce((sum, resolution) => sum + countBlocks(resolution), 0);
    const packetCount = stream.packetLengths?.length ?? 0;
    if (precincts > limits.precincts || packetCount > limits.packets || this.blockCount > maxBlocks)
      throw new Jpeg2000Error('too-large', 'The image’s file divides its pixels into too many parts.');
    this.#precincts = placePrecincts(placed, box.left, box.top).map((place) => new Precinct(place));
    let count = 0;
    this.#firsts = this.components.map((resolutions) =>
      resolutions.map(({ columns, rows }) => {
        count += columns * rows;
        return count - columns * rows;
      }),
    );
    this.#position = stream.packets[0]?.start ?? 0;
    this.#order = packetOrder(this.#precincts, coding);
    if (stream.packetLengths && !stream.isCut) this.#locate(stream.packetLengths);
  }

  /** Notes where each packet is, by their lengths; without effect where the lengths can’t be right. */
  #locate(lengths: readonly number[]): void {
    const { packets, coding } = this.stream;
    const available = packets.reduce((sum, { start, end }) => sum + end - start, 0);
    const left = available - lengths.reduce((sum, length) => sum + length, 0);
    // A last tile-part without length ends with EOC.
    if (left < 0 || left > 2) return;
    let range = 0;
    let position = packets[0]?.start ?? 0;
    const order = packetOrder(this.#precincts, coding);
    for (const length of lengths) {
      const next = order.next();
      if (next.done) break;
      while (position >= (packets[range]?.end ?? Number.POSITIVE_INFINITY)) position = packets[++range]?.start ?? 0;
      const { precinct } = next.value;
      precinct.starts = appended(precinct.starts, position);
      position += length;
      precinct.ends = appended(precinct.ends, position);
    }
    this.#isLocated = this.#precincts.every(({ starts }) => starts.length === coding.layers);
  }

  /**
   * The code-blocks of precincts, for each subband of their resolution. Throws Jpeg2000Error; where that is `lenient`, code-blocks
   * behind the first damage are as if they had not been coded.
   */
  read(
    bytes: CodeStreamBytes,
    wanted: readonly WantedPrecinct[],
    lenient: boolean,
  ): readonly (readonly BlockArray[])[] {
    const precincts = this.#find(wanted);
    if (this.#damage) throw this.#damage;
    try {
      const isMissing = ({ layers }: Precinct): boolean => layers < this.stream.coding.layers;
      if (this.#isLocated && !this.#readLocated(bytes, precincts.filter(isMissing))) this.#forgetLocations();
      if (!this.#isLocated) this.#readUntil(bytes, precincts.filter(isMissing), lenient);
    } catch (error) {
      // What was read of a packet can't be read again.
      if (isDamage(error)) this.#damage = error;
      throw error;
    }
    return precincts.map((precinct) => precinct.arrays ?? this.#openArraysOf(precinct));
  }

  #find(wanted: readonly WantedPrecinct[]): readonly Precinct[] {
    return wanted.map(({ component, resolution, index }) => {
      const precinct = this.#precincts[(this.#firsts[component]?.[resolution] ?? Number.NaN) + index];
      if (precinct === undefined) throw new TypeError('a precinct outside of its tile');
      return precinct;
    });
  }

  /** Where the packets of precincts are; undefined where the file does not say. */
  placesOf(wanted: readonly WantedPrecinct[]): readonly Range[] | undefined {
    if (!this.#isLocated) return undefined;
    return this.#find(wanted).flatMap(({ starts, ends }) =>
      starts.map((start, layer) => ({ start, end: ends[layer] ?? start })),
    );
  }

  /** What was read of the packets where each was found behind the one before. */
  placesRead(): readonly Range[] {
    const { packets } = this.stream;
    return packets
      .slice(0, this.#range + 1)
      .map(({ start, end }, index) => ({ start, end: index < this.#range ? end : this.#position }));
  }

  #openArraysOf(precinct: Precinct): readonly OpenBlockArray[] {
    const resolution = this.components[precinct.component]?.[precinct.resolution];
    if (resolution === undefined) throw new TypeError('a resolution outside of its component');
    precinct.open ??= createBlockArrays(resolution, precinct.index);
    return precinct.open;
  }

  /** Counts the packets of a layer as read. */
  #endLayer(precinct: Precinct, layer: number): void {
    precinct.layers = layer + 1;
    if (precinct.layers < this.stream.coding.layers) return;
    precinct.arrays = precinct.open?.map(closeBlockArray);
    precinct.open = undefined;
  }

  /** Reads precincts where their packets are said to be; false where a packet is not as long as it is said to be. */
  #readLocated(bytes: CodeStreamBytes, precincts: readonly Precinct[]): boolean {
    try {
      return precincts.every((precinct) => this.#readAtStarts(bytes, precinct));
    } catch (error) {
      if (isDamage(error)) return false;
      throw error;
    }
  }

  #readAtStarts(bytes: CodeStreamBytes, precinct: Precinct): boolean {
    while (precinct.layers < precinct.starts.length) {
      const { layers: layer } = precinct;
      const position = precinct.starts[layer] ?? 0;
      const range = this.stream.packets.find(({ start, end }) => position >= start && position < end);
      requireSound(range !== undefined, 'a packet outside of its tile-part');
      const end = this.#readPacket(bytes, precinct, layer, position, range);
      if (end !== precinct.ends[layer]) return false;
      this.#endLayer(precinct, layer);
    }
    return true;
  }

  /** The lengths of packets are wrong, and what was read with them may be: all packets are read in their order instead. */
  #forgetLocations(): void {
    this.#isLocated = false;
    for (const precinct of this.#precincts)
      Object.assign(precinct, { open: undefined, arrays: undefined, layers: 0, starts: [], ends: [] });
  }

  /** Reads packets in their order until those of some precincts are complete, or there are no more. */
  #readUntil(bytes: CodeStreamBytes, missing: readonly Precinct[], lenient: boolean): void {
    const { packets, coding } = this.stream;
    const incomplete = new Set(missing);
    while (incomplete.size > 0 && !this.#done) {
      while (this.#range < packets.length && this.#position >= (packets[this.#range]?.end ?? 0))
        this.#position = packets[++this.#range]?.start ?? 0;
      const range = packets[this.#range];
      const next = range && this.#order.next();
      if (range === undefined || next === undefined || next.done) {
        // An encoder can leave the last packets out, but a file must not end early.
        requireSound(!this.stream.isCut || lenient, 'the file ends before its packets');
        this.#done = true;
        return;
      }
      const { precinct, layer } = next.value;
      try {
        this.#position = this.#readPacket(bytes, precinct, layer, this.#position, range);
      } catch (error) {
        if (!lenient || !isDamage(error)) throw error;
        this.#done = true;
      }
      this.#endLayer(precinct, layer);
      if (precinct.layers >= coding.layers) incomplete.delete(precinct);
    }
  }

  /** Reads a packet, and where the next one begins. */
  #readPacket(bytes: CodeStreamBytes, precinct: Precinct, layer: number, start: number, range: Range): number {
    const { coding, packedHeaders } = this.stream;
    const blockStyle = coding.components[precinct.component]?.blockStyle ?? 0;
    const packed = packedHeaders && { bytes: packedHeaders, position: this.#packedPosition };
    const place = { position: start, range, packed };
    const { end, packedEnd } = readPacket(bytes, place, this.#openArraysOf(precinct), layer, blockStyle);
    this.#packedPosition = packedEnd;
    return end;
  }
}
