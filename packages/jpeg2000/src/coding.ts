/** What the main header and the tile-part headers say of how tiles are coded (ISO 15444-1, annex A). */

import { requireSound } from './error.ts';
import type { Progression } from './model.ts';

export const marker = {
  soc: 0xff4f,
  cap: 0xff50,
  siz: 0xff51,
  cod: 0xff52,
  coc: 0xff53,
  tlm: 0xff55,
  plt: 0xff58,
  qcd: 0xff5c,
  qcc: 0xff5d,
  rgn: 0xff5e,
  poc: 0xff5f,
  ppm: 0xff60,
  ppt: 0xff61,
  sot: 0xff90,
  sop: 0xff91,
  eph: 0xff92,
  sod: 0xff93,
  eoc: 0xffd9,
} as const;

/** A marker segment without its marker and length. */
export interface Segment {
  readonly marker: number;
  readonly body: Uint8Array;
}

/** How a component of a tile is coded (sections A.6.1 and A.6.2). */
export interface ComponentCoding {
  /** How often its samples are halved. */
  readonly levels: number;
  /** Exponents of the sides of code-blocks. */
  readonly blockWidth: number;
  readonly blockHeight: number;
  /** The bits of table A.19, and bit 6 for code-blocks of HTJ2K. */
  readonly blockStyle: number;
  /** 0 for the irreversible 9-7 filter, 1 for the reversible 5-3 filter. */
  readonly transform: number;
  /** Exponents of the sides of precincts, one for each resolution, the smallest first. */
  readonly precincts: readonly { readonly width: number; readonly height: number }[];
}

/** A progression order change (section A.6.6), or the only progression of a tile. Ends are exclusive. */
export interface ProgressionVolume {
  readonly progression: Progression;
  readonly layerEnd: number;
  readonly resolutionStart: number;
  readonly resolutionEnd: number;
  readonly componentStart: number;
  readonly componentEnd: number;
}

/** How a tile is coded. */
export interface TileCoding {
  readonly layers: number;
  readonly progression: Progression;
  /** Bits of Scod: 2 for SOP before packets, 4 for EPH after their headers. */
  readonly packetMarkers: number;
  /** Whether the first three components are transformed together. */
  readonly componentTransform: boolean;
  readonly components: readonly ComponentCoding[];
  /** For each component, what its QCD or QCC segment says from Sqcd on. */
  readonly quantization: readonly Uint8Array[];
  /** For each component, how many bits its region of interest is shifted up; 0 for none. */
  readonly roiShifts: readonly number[];
  /** Changes of the progression order; empty for none. */
  readonly changes: readonly ProgressionVolume[];
}

/** By their numbers (table A.16). */
export const progressions = ['LRCP', 'RLCP', 'RPCL', 'PCRL', 'CPRL'] as const;

function progressionOf(value: number | undefined): Progression {
  const progression = progressions[value ?? -1];
  requireSound(progression !== undefined, 'an unknown progression order');
  return progression;
}

const uint16 = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);

/** Splits a header into its segments; `bytes` begins with the first marker after SOC or SOT, and ends before SOT or SOD. */
export function splitSegments(bytes: Uint8Array): readonly Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  while (at + 4 <= bytes.length) {
    const length = uint16(bytes, at + 2);
    requireSound(bytes[at] === 0xff && length >= 2 && at + 2 + length <= bytes.length, 'a marker segment is cut short');
    segments.push({ marker: uint16(bytes, at), body: bytes.subarray(at + 4, at + 2 + length) });
    at += 2 + length;
  }
  return segments;
}

const maxLevels = 32;

/** The largest precinct: exponent 15 (section A.6.1). */
const wholePrecinct = { width: 15, height: 15 };

function parseComponentCoding(body: Uint8Array, at: number, hasPrecincts: boolean): ComponentCoding {
  requireSound(body.length >= at + 5, 'a coding style is cut short');
  const [levels = 0, width = 0, height = 0, blockStyle = 0, transform = 0] = body.subarray(at, at + 5);
  const [blockWidth, blockHeight] = [(width & 15) + 2, (height & 15) + 2];
  requireSound(levels <= maxLevels && blockWidth <= 10 && blockHeight <= 10, 'a coding style is out of bounds');
  requireSound(blockWidth + blockHeight <= 12 && transform <= 1, 'a coding style is out of bounds');
  requireSound(!hasPrecincts || body.length >= at + 6 + levels, 'a coding style is cut short');
  const precincts = Array.from({ length: levels + 1 }, (_, resolution) => {
    if (!hasPrecincts) return wholePrecinct;
    const sides = body[at + 5 + resolution] ?? 0;
    requireSound(resolution === 0 || ((sides & 15) !== 0 && sides >> 4 !== 0), 'a precinct of no size');
    return { width: sides & 15, height: sides >> 4 };
  });
  return { levels, blockWidth, blockHeight, blockStyle, transform, precincts };
}

/** The component that a COC, QCC or RGN segment is for, and where the rest begins: two bytes name it where there are many. */
function parseComponent(body: Uint8Array, components: number, at = 0): { component: number; next: number } {
  const wide = components > 256;
  const component = wide ? uint16(body, at) : (body[at] ?? 0);
  return { component, next: at + (wide ? 2 : 1) };
}

/** More changes of the progression than any encoder writes for a tile; for each, all precincts of the tile are gone through. */
const maxChanges = 64;

/** Throws Jpeg2000Error where there are absurdly many. */
export function requireFewChanges(changes: readonly ProgressionVolume[]): void {
  requireSound(changes.length <= maxChanges, 'a tile changes its progression too often');
}

function parseChanges(body: Uint8Array, coding: Pick<TileCoding, 'layers' | 'components'>): ProgressionVolume[] {
  const count = coding.components.length;
  const bytes = count > 256 ? 9 : 7;
  return Array.from({ length: Math.floor(body.length / bytes) }, (_, index) => {
    const at = index * bytes;
    const { component: componentStart, next } = parseComponent(body, count, at + 1);
    const { component: end, next: last } = parseComponent(body, count, next + 3);
    return {
      resolutionStart: body[at] ?? 0,
      componentStart,
      layerEnd: Math.min(uint16(body, next), coding.layers),
      resolutionEnd: body[next + 2] ?? 0,
      componentEnd: Math.min(end || 256, count),
      progression: progressionOf(body[last]),
    };
  });
}

const bodiesOf = (segments: readonly Segment[], wanted: number): readonly Uint8Array[] =>
  segments.filter((segment) => segment.marker === wanted).map(({ body }) => body);

type TileStyle = Pick<TileCoding, 'layers' | 'progression' | 'packetMarkers' | 'componentTransform'>;

function parseTileStyle(cod: Uint8Array): TileStyle & { readonly component: ComponentCoding } {
  requireSound(cod.length >= 10, 'COD is cut short');
  const component = parseComponentCoding(cod, 5, ((cod[0] ?? 0) & 1) !== 0);
  const layers = uint16(cod, 2);
  requireSound(layers > 0, 'a tile without layers');
  const packetMarkers = (cod[0] ?? 0) & 6;
  return { layers, progression: progressionOf(cod[1]), packetMarkers, componentTransform: cod[4] === 1, component };
}

/** Calls `apply` for each segment of a kind that is for one component, with where the rest of it begins. */
function forComponents(
  segments: readonly Segment[],
  wanted: number,
  count: number,
  apply: (component: number, body: Uint8Array, next: number) => void,
): void {
  for (const body of bodiesOf(segments, wanted)) {
    const { component, next } = parseComponent(body, count);
    if (component < count) apply(component, body, next);
  }
}

function requireAll<T>(values: readonly (T | undefined)[], what: string): readonly T[] {
  return values.map((value) => {
    requireSound(value !== undefined, what);
    return value;
  });
}

const { cod, coc, qcd, qcc, rgn, poc } = marker;
const codingMarkers: ReadonlySet<number> = new Set([cod, coc, qcd, qcc, rgn, poc]);

/**
 * The coding of a tile: that of the main header with what the segments of a tile-part header change; `base` is absent for the
 * main header itself, and the result where nothing changes it. Segments for one component go before those for all of the same header.
 * Throws Jpeg2000Error.
 */
export function applySegments(segments: readonly Segment[], count: number, base: TileCoding | undefined): TileCoding {
  if (base && !segments.some((segment) => codingMarkers.has(segment.marker))) return base;
  const [cod] = bodiesOf(segments, marker.cod);
  const [qcd] = bodiesOf(segments, marker.qcd);
  const style = cod && parseTileStyle(cod);
  const tile: TileStyle | undefined = style ?? base;
  requireSound(tile !== undefined, 'COD is missing');
  const each = Array.from({ length: count }, (_, index) => index);
  const components = each.map((index) => style?.component ?? base?.components[index]);
  const quantization = each.map((index) => qcd ?? base?.quantization[index]);
  const roiShifts = each.map((index) => base?.roiShifts[index] ?? 0);
  forComponents(segments, marker.coc, count, (component, body, next) => {
    components[component] = parseComponentCoding(body, next + 1, ((body[next] ?? 0) & 1) !== 0);
  });
  forComponents(segments, marker.qcc, count, (component, body, next) => {
    quantization[component] = body.subarray(next);
  });
  forComponents(segments, marker.rgn, count, (component, body, next) => {
    roiShifts[component] = body[next + 1] ?? 0;
  });
  const { layers, progression, packetMarkers, componentTransform } = tile;
  const coding = {
    layers,
    progression,
    packetMarkers,
    componentTransform,
    components: requireAll(components, 'COD is missing'),
    quantization: requireAll(quantization, 'QCD is missing'),
    roiShifts,
  };
  const changes = bodiesOf(segments, marker.poc).flatMap((body) => parseChanges(body, coding));
  requireFewChanges(changes);
  return { ...coding, changes: changes.length > 0 ? changes : (base?.changes ?? []) };
}
