/** The window of the map: its keys, the points on it, what is under the pointer, the scale bar and whose map it is. */
import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import type { RefObject, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { pageSettings } from '../../data/page-settings.ts';
import { mapMessage } from '../../messages/map-messages.ts';
import { formatPlace, roundLength } from '../../model/map/measures.ts';
import { type Camera, sideMeters, sidePixels, toGeo, toWorld } from '../../model/map/mercator.ts';
import { boxAround } from '../../model/view/geometry.ts';
import type { Point } from '../../model/view-state.ts';
import { MapStage } from '../../stage/map-stage.ts';
import { given } from '../../state/map/georeferences.ts';
import { changeMap, mapStage, mapView, shownMaps } from '../../state/map/map.ts';
import { changePoint, halfPoint, ownPoints, setHalf } from '../../state/map/own-points.ts';
import type { Opened } from '../../state/opened.ts';
import { announce } from './announce.ts';
import { formatMeters } from './lengths.ts';
import { Markers } from './markers.tsx';

/** What is seen before anything has a place: most of the inhabited earth. */
const world: Camera = { center: { lon: 10, lat: 30 }, zoom: 1.5 };

function setPlace(at: Point): void {
  if (!mapView.peek().edits) return;
  const number = setHalf({ place: toGeo(at) });
  announce(number === undefined ? mapMessage('half-place') : mapMessage('point-added', { number }));
}

/** How far an arrow key moves, in fractions of the window. */
const step = 0.12;

const moves: Readonly<Record<string, (stage: MapStage) => void>> = {
  ArrowLeft: (stage) => stage.panBy(-step, 0),
  ArrowRight: (stage) => stage.panBy(step, 0),
  ArrowUp: (stage) => stage.panBy(0, -step),
  ArrowDown: (stage) => stage.panBy(0, step),
  '+': (stage) => stage.zoomBy(0.5),
  '=': (stage) => stage.zoomBy(0.5),
  '-': (stage) => stage.zoomBy(-0.5),
  '0': () => fitMap(),
  Enter: (stage) => setPlace(toWorld(stage.camera.center)),
};

/** Shows all that lies on the map. */
export function fitMap(how: 'at-once' | 'moving' = 'moving'): void {
  const corners = shownMaps.peek().flatMap(({ points, transformation }) => {
    const size = given.peek().image?.info;
    if (transformation === undefined || size === undefined) return points.map(toWorld);
    const sides = [0, 0.5, 1].flatMap((x) => [0, 0.5, 1].map((y) => ({ x: x * size.width, y: y * size.height })));
    return sides.map(transformation.toWorld);
  });
  const box = boxAround(corners);
  if (box === undefined) mapStage.peek()?.place(world, how);
  else mapStage.peek()?.fit(box, how);
}

function pressOn(event: KeyboardEvent): void {
  const stage = mapStage.peek();
  const move = moves[event.key];
  if (stage === undefined || move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  move(stage);
}

/** The stage on an element, which follows what is shown. */
function useMapStage(element: RefObject<HTMLElement | null>, pointer: Signal<Point | undefined>): void {
  useLayoutEffect(() => {
    if (element.current === null) return undefined;
    const stage = new MapStage(element.current, pageSettings.baseMap, {
      onClick: setPlace,
      onRest: (camera) => changeMap({ camera }),
    });
    const { focusElement } = stage;
    focusElement.setAttribute('role', 'application');
    focusElement.addEventListener('keydown', pressOn);
    focusElement.addEventListener('pointermove', ({ clientX, clientY }) => {
      const { left, top } = focusElement.getBoundingClientRect();
      pointer.value = { x: clientX - left, y: clientY - top };
    });
    focusElement.addEventListener('pointerleave', () => {
      pointer.value = undefined;
    });
    mapStage.value = stage;
    return () => {
      mapStage.value = undefined;
      stage.close();
    };
  }, []);
  /** The image for which the window was placed first. */
  const placed = useRef<string | undefined>(undefined);
  useSignalEffect(() => {
    const { image, isLoading } = given.value;
    const stage = mapStage.value;
    const maps = shownMaps.value;
    if (stage === undefined || image === undefined || isLoading) return;
    void stage.show(
      image.info,
      maps.flatMap(({ transformation, mask }) => (transformation ? [{ transformation, mask }] : [])),
    );
    if (placed.current === image.path) return;
    // The address is of the image that was open first.
    const { camera } = mapView.peek();
    if (camera !== undefined && placed.current === undefined) stage.place(camera, 'at-once');
    else fitMap('at-once');
    placed.current = image.path;
  });
  useSignalEffect(() => {
    const sheet = mapStage.value && element.current?.querySelector<HTMLElement>('.map-sheet');
    if (sheet) sheet.style.opacity = String(mapView.value.opacity);
  });
}

/** A bar of a round length at the center of the map. */
function ScaleBar(): VNode | null {
  const frame = mapStage.value?.frame.value;
  if (frame === undefined) return null;
  const { camera } = frame;
  const perPixel = sideMeters(camera.center.lat) / sidePixels(camera.zoom);
  const meters = roundLength(perPixel * 130);
  const length = formatMeters(meters);
  return (
    <p class="map-scale" role="img" aria-label={mapMessage('scale-bar', { length })}>
      <span style={{ width: `${meters / perPixel}px` }}>{length}</span>
    </p>
  );
}

/** The place under the pointer, or at the center, with the pixel of the image that lies there. */
function PlaceNow({ pointer }: { readonly pointer: Point | undefined }): VNode | null {
  const frame = mapStage.value?.frame.value;
  if (frame === undefined) return null;
  const { seen, window } = frame;
  const { x, y } = pointer ?? { x: window.width / 2, y: window.height / 2 };
  const at = { x: seen.x + (x / window.width) * seen.width, y: seen.y + (y / window.height) * seen.height };
  const size = given.value.image?.info;
  const pixel = shownMaps.value
    .map(({ transformation }) => transformation?.toImage(at))
    .find((one) => one && size && one.x >= 0 && one.y >= 0 && one.x <= size.width && one.y <= size.height);
  return (
    <p class="map-place tabular">
      <span>{mapMessage('map-pointer', { place: formatPlace(toGeo(at)) })}</span>
      <span>
        {pixel
          ? mapMessage('pointer-pixels', { x: Math.floor(pixel.x), y: Math.floor(pixel.y) })
          : mapMessage('pointer-beside')}
      </span>
    </p>
  );
}

function Attribution(): VNode {
  const { baseMap } = pageSettings;
  if (baseMap === undefined) return <p class="map-source">{mapMessage('no-map')}</p>;
  const { attribution, attributionAddress } = baseMap;
  return (
    <p class="map-source">
      {attributionAddress === undefined ? (
        attribution
      ) : (
        <a href={attributionAddress} target="_blank" rel="noopener">
          {attribution}
        </a>
      )}
    </p>
  );
}

/** The points of the reader on the map, and half of a new one. */
function PlaceMarkers(): VNode | null {
  const frame = mapStage.value?.frame.value;
  if (frame === undefined || !mapView.value.edits) return null;
  const { seen, window } = frame;
  const toScreen = ({ x, y }: Point): Point => ({
    x: ((x - seen.x) / seen.width) * window.width,
    y: ((y - seen.y) / seen.height) * window.height,
  });
  const { place } = halfPoint.value;
  return (
    <Markers
      places={ownPoints.value.points.map((point) => toScreen(toWorld(point)))}
      half={place && toScreen(toWorld(place))}
      onMove={(index, { x, y }) =>
        changePoint(
          index,
          toGeo({ x: seen.x + (x / window.width) * seen.width, y: seen.y + (y / window.height) * seen.height }),
        )
      }
    />
  );
}

export function MapPane({ opened }: { readonly opened: Opened }): VNode {
  const element = useRef<HTMLDivElement>(null);
  const pointer = useSignal<Point | undefined>(undefined);
  useMapStage(element, pointer);
  const { edits } = mapView.value;
  const label = mapMessage('map-of', { label: opened.card.label });
  const text = edits ? `${label}. ${mapMessage('enter-sets')}` : label;
  useLayoutEffect(() => mapStage.peek()?.focusElement.setAttribute('aria-label', text));
  const isSharp = mapStage.value?.isSharp.value === true;
  return (
    <div class="map-pane" data-sharp={isSharp}>
      <div class="map-window" ref={element} />
      {edits && <span class="map-cross" aria-hidden="true" />}
      <PlaceMarkers />
      <div class="map-foot">
        <ScaleBar />
        <PlaceNow pointer={pointer.value} />
        <Attribution />
      </div>
    </div>
  );
}
