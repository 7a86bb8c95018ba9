/** The image on a map: warped by its georeference, over the base map of the site; and what sets control points. */
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import '../../styles/map.css';
import { mapMessage } from '../../messages/map-messages.ts';
import { message } from '../../messages/messages.ts';
import { plainMap, withMapView } from '../../model/map/map-view.ts';
import { followGeoreferences, given } from '../../state/map/georeferences.ts';
import { changeMap, mapView } from '../../state/map/map.ts';
import { ownPoints, redoPoint, undoPoint } from '../../state/map/own-points.ts';
import type { Opened } from '../../state/opened.ts';
import { changeView, view } from '../../state/view.ts';
import { Button } from '../common/button.tsx';
import { ImagePane } from './image-pane.tsx';
import { MapBar } from './map-bar.tsx';
import { FileButton } from './map-files.tsx';
import { MapPane } from './map-pane.tsx';
import { PointTable, Undetermined } from './point-table.tsx';

/** Undoes with the usual keys, but in fields, which undo what was typed. */
function undoByKey(event: KeyboardEvent): void {
  const { target, key } = event;
  if (!(event.ctrlKey || event.metaKey) || event.altKey || !mapView.peek().edits) return;
  if (target instanceof HTMLInputElement && target.type === 'text') return;
  const isRedo = key.toLowerCase() === 'y' || (key.toLowerCase() === 'z' && event.shiftKey);
  if (!isRedo && key.toLowerCase() !== 'z') return;
  event.preventDefault();
  if (isRedo) redoPoint();
  else undoPoint();
}

/** What is said where nothing lies on the map. */
function EmptyNote({ opened }: { readonly opened: Opened }): VNode | null {
  const { isLoading, problem, image } = given.value;
  const hasPoints = ownPoints.value.points.length > 0 || given.value.maps.length > 0;
  if (isLoading || hasPoints || mapView.value.edits) return null;
  return (
    <div class="map-empty floating">
      <p>
        <strong>{mapMessage('no-place')}</strong>
      </p>
      {problem !== undefined && <p>{mapMessage(problem === 'refused-host' ? problem : 'unloaded')}</p>}
      {image && (
        <>
          <p class="soft">{mapMessage('no-place-todo')}</p>
          <div class="button-row row wrap">
            <Button primary onClick={() => changeMap({ edits: true })}>
              {mapMessage('map-points')}
            </Button>
            <FileButton opened={opened} />
          </div>
        </>
      )}
    </div>
  );
}

function MapOfImage({ opened }: { readonly opened: Opened }): VNode {
  const { image } = given.value;
  const { edits } = mapView.value;
  useLayoutEffect(followGeoreferences, []);
  return (
    <section class={edits ? 'map-view edits' : 'map-view'} aria-label={message('layout-map')} onKeyDown={undoByKey}>
      <MapBar />
      <div class="map-panes">
        {edits && image && <ImagePane key={image.path} opened={opened} image={image} />}
        <MapPane opened={opened} />
      </div>
      {edits && image && <PointTable opened={opened} image={image} />}
      <EmptyNote opened={opened} />
      {!edits && (
        <div class="map-note">
          <Undetermined />
        </div>
      )}
      {given.value.isLoading && (
        <p class="stage-note muted" role="status">
          {message('loading')}
        </p>
      )}
    </section>
  );
}

/** Puts a focus that is nowhere on the map, so that keys move it. */
export function MapView({ opened }: { readonly opened: Opened }): VNode {
  // Addresses of the image without the map say nothing of it.
  useEffect(
    () => () => {
      const { layout, unknown } = view.peek();
      if (layout !== 'map') changeView({ unknown: withMapView(unknown, plainMap) });
    },
    [],
  );
  useEffect(() => {
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>('.map-pane [role="application"]')?.focus({ preventScroll: true });
  }, []);
  return <MapOfImage opened={opened} />;
}
