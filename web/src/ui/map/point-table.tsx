/** The list of control points: typed, with the error of each, and what is done with all of them. */
import { useSignal, useSignalEffect } from '@preact/signals';
import { LocateFixed, Redo2, Trash2, Undo2 } from 'lucide';
import type { VNode } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { mapMessage } from '../../messages/map-messages.ts';
import { message } from '../../messages/messages.ts';
import { formatPlace, parsePlace } from '../../model/map/measures.ts';
import type { GeoPoint } from '../../model/map/mercator.ts';
import { type ControlPoint, leastPoints } from '../../model/map/transformations.ts';
import type { Point } from '../../model/view-state.ts';
import type { StageImage } from '../../stage/layer-drawing.ts';
import { given } from '../../state/map/georeferences.ts';
import { changeMap, mapStage, ownResiduals, shownMaps, showsOwn } from '../../state/map/map.ts';
import {
  addPoint,
  canRedoPoint,
  canUndoPoint,
  changePoint,
  deletePoint,
  halfPoint,
  isUnstored,
  ownPoints,
  redoPoint,
  setPoints,
  undoPoint,
} from '../../state/map/own-points.ts';
import type { Opened } from '../../state/opened.ts';
import { Button, IconButton } from '../common/button.tsx';
import { useOwnText } from '../common/elements.ts';
import { announce, announced, chosenPoint } from './announce.ts';
import { formatMeters } from './lengths.ts';
import { FileButton, SaveButtons } from './map-files.tsx';

const rounded = (value: number): number => Math.round(value * 10) / 10;

const formatPixels = ({ x, y }: Point): string => `${rounded(x)}, ${rounded(y)}`;

/** Two numbers, as `1200, 850`; undefined for another text. */
function parsePixels(text: string): Point | undefined {
  const [, x, y] = /^\s*(-?\d+(?:\.\d+)?)\s*[,;\s]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(text) ?? [];
  return x === undefined || y === undefined ? undefined : { x: Number(x), y: Number(y) };
}

/** To seven digits, which are a centimeter, without zeros at the end. */
const formatDegrees = (place: GeoPoint): string => formatPlace(place, 7).replace(/\.?0+(?=,|$)/g, '');

interface CellProps<T> {
  readonly name: string;
  readonly text: string;
  readonly parse: (text: string) => T | undefined;
  readonly fault: string;
  readonly onChange: (value: T) => void;
}

/** A field of the list: what can't be read is marked, and changes nothing. */
function Cell<T>({ name, text, parse, fault, onChange }: CellProps<T>): VNode {
  const own = useOwnText<HTMLInputElement>(text);
  const isFault = useSignal(false);
  return (
    <input
      {...own}
      type="text"
      inputMode="text"
      autoComplete="off"
      spellcheck={false}
      aria-label={name}
      aria-invalid={isFault.value}
      title={isFault.value ? fault : undefined}
      onChange={({ currentTarget: { value } }) => {
        const parsed = parse(value);
        isFault.value = parsed === undefined;
        if (parsed === undefined) announce(fault);
        else if (value.trim() !== text) onChange(parsed);
      }}
    />
  );
}

function Row({ point, index }: { readonly point: ControlPoint; readonly index: number }): VNode {
  const number = index + 1;
  const error = ownResiduals.value?.meters[index];
  const show = (): void => {
    chosenPoint.value = index;
    const stage = mapStage.peek();
    if (stage) stage.place({ center: point, zoom: stage.camera.zoom });
  };
  return (
    <tr class={chosenPoint.value === index ? 'chosen' : undefined} onFocusIn={() => (chosenPoint.value = index)}>
      <th scope="row">
        <IconButton icon={LocateFixed} name={mapMessage('show-point', { number })} onClick={show} />
        {number}
      </th>
      <td>
        <Cell
          name={mapMessage('point-image', { number })}
          text={formatPixels(point)}
          parse={parsePixels}
          fault={mapMessage('not-pixels')}
          onChange={(at) => changePoint(index, at)}
        />
      </td>
      <td>
        <Cell
          name={mapMessage('point-place', { number })}
          text={formatDegrees(point)}
          parse={parsePlace}
          fault={mapMessage('not-place')}
          onChange={(place) => changePoint(index, place)}
        />
      </td>
      <td class="tabular error">{error === undefined ? '–' : formatMeters(error)}</td>
      <td>
        <IconButton icon={Trash2} name={mapMessage('delete-point', { number })} onClick={() => deletePoint(index)} />
      </td>
    </tr>
  );
}

const nothingTyped = { image: '', place: '' };

/** A new point, typed; what is set on a window already stands in its field. */
function NewPoint(): VNode {
  const id = useId();
  const fault = useSignal('');
  const first = useRef<HTMLInputElement>(null);
  const typed = useSignal(nothingTyped);
  const isHalfSet = useRef(false);
  useSignalEffect(() => {
    const { image, place } = halfPoint.value;
    // What was typed before this has run for the first time stays.
    const isEmptied = isHalfSet.current && !image && !place;
    isHalfSet.current = image !== undefined || place !== undefined;
    const before = isEmptied ? nothingTyped : typed.peek();
    typed.value = {
      image: image ? formatPixels(image) : before.image,
      place: place ? formatDegrees(place) : before.place,
    };
  });
  const take = (change: { readonly image?: string; readonly place?: string }): void => {
    typed.value = { ...typed.peek(), ...change };
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const [at, place] = [parsePixels(typed.peek().image), parsePlace(typed.peek().place)];
    fault.value = at === undefined ? mapMessage('not-pixels') : place === undefined ? mapMessage('not-place') : '';
    if (at === undefined || place === undefined) return;
    addPoint({ ...at, ...place });
    halfPoint.value = {};
    typed.value = nothingTyped;
    announce(mapMessage('point-added', { number: ownPoints.peek().points.length }));
    first.current?.focus();
  };
  return (
    <form class="new-point row wrap" onSubmit={submit} noValidate>
      <span class="row">
        <label for={`${id}-image`}>{mapMessage('new-image')}</label>
        <input
          ref={first}
          id={`${id}-image`}
          type="text"
          autoComplete="off"
          aria-describedby={`${id}-fault`}
          value={typed.value.image}
          onInput={({ currentTarget }) => take({ image: currentTarget.value })}
        />
      </span>
      <span class="row">
        <label for={`${id}-place`}>{mapMessage('new-place')}</label>
        <input
          id={`${id}-place`}
          type="text"
          autoComplete="off"
          aria-describedby={`${id}-fault`}
          value={typed.value.place}
          onInput={({ currentTarget }) => take({ place: currentTarget.value })}
        />
      </span>
      <button type="submit" class="button">
        {mapMessage('add-point')}
      </button>
      <p id={`${id}-fault`} role="status">
        {fault.value}
      </p>
    </form>
  );
}

function List(): VNode | null {
  const { points } = ownPoints.value;
  if (points.length === 0) return null;
  return (
    <div class="point-scroll">
      <table class="point-list">
        <caption class="off-screen">{mapMessage('point-list')}</caption>
        <thead>
          <tr>
            <th scope="col">{mapMessage('column-number')}</th>
            <th scope="col">{mapMessage('column-image')}</th>
            <th scope="col">{mapMessage('column-place')}</th>
            <th scope="col">{mapMessage('column-error')}</th>
            <th scope="col">
              <span class="off-screen">{mapMessage('column-delete')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {points.map((point, index) => (
            <Row key={index} point={point} index={index} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Why the points give no map yet. */
export function Undetermined(): VNode | null {
  const [map] = shownMaps.value;
  if (map === undefined || map.transformation !== undefined) return null;
  const { kind } = map;
  return (
    <p role="status">{mapMessage('undetermined', { kind: mapMessage(`warp-${kind}`), count: leastPoints[kind] })}</p>
  );
}

/** The error of all points. */
function Rms(): VNode | null {
  const residuals = ownResiduals.value;
  const [map] = shownMaps.value;
  if (residuals === undefined || !showsOwn.value) return null;
  return (
    <p class="rms">
      {mapMessage('rms', { length: formatMeters(residuals.rms) })}
      {map?.kind === 'thinPlateSpline' && <span class="soft"> {mapMessage('rms-spline')}</span>}
    </p>
  );
}

/** Points of another georeference as the reader's own. */
function takeOver(): void {
  const [map] = given.peek().maps;
  if (map === undefined) return;
  setPoints(map.points, map.mask);
  changeMap({ given: false, kind: map.kind });
}

export function PointTable({ opened, image }: { readonly opened: Opened; readonly image: StageImage }): VNode {
  const { points } = ownPoints.value;
  return (
    <section class="map-points" aria-label={mapMessage('map-points')}>
      <p class="soft">
        {mapMessage('points-help')} {mapMessage(isUnstored.value ? 'points-unstored' : 'points-stay')}
      </p>
      <p class="off-screen" role="status">
        {announced.value}
      </p>
      <Undetermined />
      <Rms />
      <List />
      <NewPoint />
      <div class="button-row row wrap">
        <IconButton icon={Undo2} name={message('undo')} disabled={!canUndoPoint.value} onClick={undoPoint} />
        <IconButton icon={Redo2} name={message('redo')} disabled={!canRedoPoint.value} onClick={redoPoint} />
        {points.length === 0 && given.value.maps.length > 0 && (
          <Button onClick={takeOver}>{mapMessage('take-over')}</Button>
        )}
        {points.length > 0 && (
          <Button icon={Trash2} onClick={() => setPoints([])}>
            {mapMessage('delete-points')}
          </Button>
        )}
        <FileButton opened={opened} />
      </div>
      <SaveButtons opened={opened} image={image} />
    </section>
  );
}
