/** The tools above the map: opacity, transformation, what is shown, and whether control points are set. */
import { ArrowLeft, MapPinned, Maximize2, Minus, Plus } from 'lucide';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { mapMessage } from '../../messages/map-messages.ts';
import { leastPoints, type TransformationKind, transformationKinds } from '../../model/map/transformations.ts';
import { given } from '../../state/map/georeferences.ts';
import { changeMap, mapStage, mapView, shownMaps, showsOwn } from '../../state/map/map.ts';
import { ownPoints } from '../../state/map/own-points.ts';
import { changeView } from '../../state/view.ts';
import { Button, IconButton } from '../common/button.tsx';
import { Choices } from '../common/fields.tsx';
import { formatPercent } from '../common/words.ts';
import { fitMap } from './map-pane.tsx';

function Opacity(): VNode {
  const { opacity } = mapView.value;
  return (
    <label class="map-opacity row">
      {mapMessage('map-opacity')}
      <input
        type="range"
        min={0}
        max={100}
        value={Math.round(opacity * 100)}
        aria-valuetext={formatPercent(opacity)}
        onInput={({ currentTarget }) => changeMap({ opacity: currentTarget.valueAsNumber / 100 })}
      />
    </label>
  );
}

const isKind = (text: string): text is TransformationKind => transformationKinds.some((kind) => kind === text);

function Warp(): VNode | null {
  const id = useId();
  const [map] = shownMaps.value;
  if (map === undefined) return null;
  const count = Math.max(...shownMaps.value.map(({ points }) => points.length));
  return (
    <span class="map-warp row">
      <label for={id}>{mapMessage('warp')}</label>
      <select
        id={id}
        value={map.kind}
        onChange={({ currentTarget: { value } }) => isKind(value) && changeMap({ kind: value })}
      >
        {transformationKinds.map((kind) => {
          const name = mapMessage(`warp-${kind}`);
          const isPossible = count >= leastPoints[kind];
          return (
            <option key={kind} value={kind} disabled={!isPossible && kind !== map.kind}>
              {isPossible ? name : mapMessage('warp-needs', { name, count: leastPoints[kind] })}
            </option>
          );
        })}
      </select>
    </span>
  );
}

/** Where both are there. */
function Which(): VNode | null {
  if (given.value.maps.length === 0 || ownPoints.value.points.length === 0) return null;
  return (
    <Choices
      legend={mapMessage('which-map')}
      class="segments"
      choices={[
        ['given', mapMessage('which-given')],
        ['own', mapMessage('which-own')],
      ]}
      chosen={showsOwn.value ? 'own' : 'given'}
      onChoose={(which) => changeMap({ given: which === 'given' })}
    />
  );
}

export function MapBar(): VNode {
  const { edits } = mapView.value;
  const count = ownPoints.value.points.length;
  const hasMap = shownMaps.value.some(({ transformation }) => transformation !== undefined);
  return (
    <section class="map-bar row wrap" aria-label={mapMessage('map-tools')}>
      <IconButton
        icon={ArrowLeft}
        name={mapMessage('map-back')}
        shortcut="Escape"
        onClick={() => changeView({ layout: 'page' })}
      />
      <IconButton icon={Minus} name={mapMessage('map-zoom-out')} onClick={() => mapStage.peek()?.zoomBy(-1)} />
      <IconButton icon={Plus} name={mapMessage('map-zoom-in')} onClick={() => mapStage.peek()?.zoomBy(1)} />
      <IconButton icon={Maximize2} name={mapMessage('fit-map')} onClick={() => fitMap()} />
      {hasMap && <Opacity />}
      <Warp />
      <Which />
      <Button icon={MapPinned} pressed={edits} onClick={() => changeMap({ edits: !edits })}>
        {count > 0 ? mapMessage('map-points-count', { count }) : mapMessage('map-points')}
      </Button>
    </section>
  );
}
