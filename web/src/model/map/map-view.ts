/** What the address says of the map beside the view: where its window is, how opaque the image lies on it, and how it is placed. */
import type { Pair } from '../address/address-text.ts';
import { type Camera, zoomRange } from './mercator.ts';
import { type TransformationKind, transformationKinds } from './transformations.ts';

export interface MapView {
  /** Undefined for the one by which the whole image is seen. */
  readonly camera: Camera | undefined;
  /** 0 to 1. */
  readonly opacity: number;
  /** The reader's choice; undefined for what the georeference says. */
  readonly kind: TransformationKind | undefined;
  /** Whether the control points are set and listed. */
  readonly edits: boolean;
  /** Whether the georeference of the library is shown where the reader has set points, too. */
  readonly given: boolean;
}

export const plainMap: MapView = { camera: undefined, opacity: 1, kind: undefined, edits: false, given: false };

/** The parameters of `MapView`. */
const names = ['map', 'opacity', 'warp', 'points', 'georef'] as const;

function parseCamera(text: string): Camera | undefined {
  const [zoom = Number.NaN, lat = Number.NaN, lon = Number.NaN] = text.split('/').map(Number);
  if (!Number.isFinite(zoom + lat + lon) || Math.abs(lat) > 90 || Math.abs(lon) > 540) return undefined;
  return { center: { lon, lat }, zoom: Math.min(Math.max(zoom, zoomRange.least), zoomRange.most) };
}

/** Digits of a degree that a pixel of the window needs at a zoom. */
const digitsAt = (zoom: number): number => Math.max(2, Math.ceil(zoom * 0.31 + 0.4));

const formatCamera = ({ center: { lon, lat }, zoom }: Camera): string =>
  [zoom.toFixed(2), lat.toFixed(digitsAt(zoom)), lon.toFixed(digitsAt(zoom))]
    .map((text) => String(Number(text)))
    .join('/');

function parseOpacity(text: string | undefined): number {
  const percent = text === undefined || text === '' ? Number.NaN : Number(text);
  return percent >= 0 && percent <= 100 ? percent / 100 : 1;
}

/** Of the parameters that the view itself does not know. Malformed ones count as absent. */
export function parseMapView(pairs: readonly Pair[]): MapView {
  const values = new Map(pairs);
  return {
    camera: parseCamera(values.get('map') ?? ''),
    opacity: parseOpacity(values.get('opacity')),
    kind: transformationKinds.find((kind) => kind === values.get('warp')),
    edits: values.get('points') === '1',
    given: values.get('georef') === '1',
  };
}

/** The pairs with those of a map in place of others of it; defaults are left out. */
export function withMapView(pairs: readonly Pair[], { camera, opacity, kind, edits, given }: MapView): readonly Pair[] {
  const own: readonly (readonly [(typeof names)[number], string])[] = [
    ['map', camera === undefined ? '' : formatCamera(camera)],
    ['opacity', opacity === 1 ? '' : String(Math.round(opacity * 100))],
    ['warp', kind ?? ''],
    ['points', edits ? '1' : ''],
    ['georef', given ? '1' : ''],
  ];
  return [...pairs.filter(([name]) => !names.some((one) => one === name)), ...own.filter(([, value]) => value !== '')];
}
