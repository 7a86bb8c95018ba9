/** The map of the open image: what the address says of it, and which georeference is shown. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { GeoMap } from '../../model/map/georeference.ts';
import { type MapView, parseMapView, withMapView } from '../../model/map/map-view.ts';
import {
  fitTransformation,
  leastPoints,
  type Residuals,
  residualsOf,
  type Transformation,
  type TransformationKind,
} from '../../model/map/transformations.ts';
import type { MapStage } from '../../stage/map-stage.ts';
import { changeView, view } from '../view.ts';
import { given } from './georeferences.ts';
import { ownPoints } from './own-points.ts';

export const mapView: ReadonlySignal<MapView> = computed(() => parseMapView(view.value.unknown));

export const changeMap = (change: Partial<MapView>): void =>
  changeView({ unknown: withMapView(view.peek().unknown, { ...mapView.peek(), ...change }) });

/** The window of the map; undefined while none is on the page. */
export const mapStage = signal<MapStage | undefined>(undefined);

export interface ShownMap extends GeoMap {
  /** Undefined where its points do not determine it. */
  readonly transformation: Transformation | undefined;
}

/** Whether there are points of the reader, and they are chosen. */
export const showsOwn: ReadonlySignal<boolean> = computed(
  () => ownPoints.value.points.length > 0 && !(mapView.value.given && given.value.maps.length > 0),
);

/** Two points determine a turn and a scale, and no more. */
const usualKind = (count: number): TransformationKind => (count < leastPoints.polynomial1 ? 'helmert' : 'polynomial1');

/** What is shown, each map placed as the reader chose, or else as its georeference says. */
export const shownMaps: ReadonlySignal<readonly ShownMap[]> = computed(() => {
  const { points, mask } = ownPoints.value;
  const maps = showsOwn.value ? [{ points, mask, kind: usualKind(points.length) }] : given.value.maps;
  return maps.map((map) => {
    const kind = mapView.value.kind ?? map.kind;
    return { ...map, kind, transformation: fitTransformation(kind, map.points) };
  });
});

/** The errors of the reader's points; undefined where they do not determine a map. */
export const ownResiduals: ReadonlySignal<Residuals | undefined> = computed(() => {
  const [map] = showsOwn.value ? shownMaps.value : [];
  return map?.transformation && residualsOf(map.points, map.transformation);
});
