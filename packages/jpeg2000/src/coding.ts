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
  /** For each component, what its QCD or QCC segment says from Sqcd on; undefined where there is none. */
  readonly quantization: readonly (Uint8Array | undefined)[];
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

const maxLevels = 32;

/** The largest precinct: exponent 15 (section A.6.1). */
const wholePrecinct = { width: 15, height: 15 };

function parseComponentCoding(body: Uint8Array, at: number, hasPrecincts: boolean): ComponentCoding {
  requireSound(body.length >= at + 5, 'a coding style is cut short');
  const [levels = 0, width = 0, height = 0, blockStyle = 0, transform = 0] = body.subarray(at, at + 5);
  const [blockWidth, blockHeight] = [width + 2, height + 2];
  requireSound(levels <= maxLevels && blockWidth <= 10 && blockHeight <= 10, 'a coding style is out of bounds');
  requireSound(blockWidth + blockHeight <= 12, 'a coding style is out of bounds');
  requireSound(!hasPrecincts || body.length >= at + 6 + levels, 'a coding style is cut short');
  const precincts = Array.from({ length: levels + 1 }, (_, resolution) => {
    if (!hasPrecincts) return wholePrecinct;
    const sides = body[at + 5 + resolution] ?? 0;
    return { width: sides & 15, height: sides >> 4 };
  });
  return { levels, blockWidth, blockHeight, blockStyle, transform, precincts };
}

/** Throws Jpeg2000Error where components are coded as no decoder reads them: header readers need not. */
export function requireDecodable({ components, quantization }: TileCoding): void {
  requireSound(
    quantization.every((each) => each !== undefined),
    'QCD is missing',
  );
  for (const { transform, precincts } of components) {
    requireSound(transform <= 1, 'a coding style is out of bounds');
    requireSound(
      precincts.every(({ width, height }, resolution) => resolution === 0 || (width > 0 && height > 0)),
      'a precinct of no size',
    );
  }
}

/** More changes of the progression than any encoder writes for a tile; for each, all precincts of the tile are gone through. */
const maxChanges = 64;

/** Throws Jpeg2000Error where there are absurdly many. */
export function requireFewChanges(changes: readonly ProgressionVolume[]): void {
  requireSound(changes.length <= maxChanges, 'a tile changes its progression too often');
}

function parseChanges(body: Uint8Array, coding: Pick<TileCoding, 'layers' | 'components'>): ProgressionVolume[] {
  const count = coding.components.length;
  return Array.from({ length: Math.floor(body.length / 7) }, (_, index) => {
    const [resolutionStart = 0, componentStart = 0, , , resolutionEnd = 0, end = 0, progression] = body.subarray(
      index * 7,
    );
    return {
      resolutionStart,
      componentStart,
      layerEnd: Math.min(uint16(body, index * 7 + 2), coding.layers),
      resolutionEnd,
      componentEnd: Math.min(end || 256, count),
      progression: progressionOf(progression),
    };
  });
}

const bodiesOf = (segments: readonly Segment[], wanted: number): readonly Uint8Array[] =>
  segments.filter((segment) => segment.marker === wanted).map(({ body }) => body);

type TileStyle = Pick<TileCoding, 'layers' | 'progression' | 'packetMarkers' | 'componentTransform'>;

export function parseTileStyle(cod: Uint8Array): TileStyle & { readonly component: ComponentCoding } {
  requireSound(cod.length >= 10, 'COD is cut short');
  const component = parseComponentCoding(cod, 5, ((cod[0] ?? 0) & 1) !== 0);
  const layers = uint16(cod, 2);
  requireSound(layers > 0, 'a tile without layers');
  const packetMarkers = (cod[0] ?? 0) & 6;
  return { layers, progression: progressionOf(cod[1]), packetMarkers, componentTransform: cod[4] === 1, component };
}

/** Calls `apply` for each segment of a kind that is for one component, whose index one byte says, with what follows it. */
function forComponents(
  segments: readonly Segment[],
  wanted: number,
  count: number,
  apply: (component: number, rest: Uint8Array) => void,
): void {
  for (const body of bodiesOf(segments, wanted)) {
    const [component = 0] = body;
    if (component < count) apply(component, body.subarray(1));
  }
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
  forComponents(segments, marker.coc, count, (component, rest) => {
    components[component] = parseComponentCoding(rest, 1, ((rest[0] ?? 0) & 1) !== 0);
  });
  forComponents(segments, marker.qcc, count, (component, rest) => {
    quantization[component] = rest;
  });
  forComponents(segments, marker.rgn, count, (component, rest) => {
    roiShifts[component] = rest[1] ?? 0;
  });
  const { layers, progression, packetMarkers, componentTransform } = tile;
  const coding = {
    layers,
    progression,
    packetMarkers,
    componentTransform,
    components: components.filter((each) => each !== undefined),
    quantization,
    roiShifts,
  };
  const changes = bodiesOf(segments, marker.poc).flatMap((body) => parseChanges(body, coding));
  requireFewChanges(changes);
  return { ...coding, changes: changes.length > 0 ? changes : (base?.changes ?? []) };
}
