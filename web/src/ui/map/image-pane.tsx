/** The image beside the map, on which the other half of control points is set. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { mapMessage } from '../../messages/map-messages.ts';
import { fitRegion } from '../../model/view/framing.ts';
import { inFractions, inPixels, toImage, toScreen } from '../../model/view/geometry.ts';
import { type Point, wholeImage } from '../../model/view-state.ts';
import type { StageImage } from '../../stage/layer-drawing.ts';
import { Stage } from '../../stage/stage.ts';
import { changePoint, halfPoint, ownPoints, setHalf } from '../../state/map/own-points.ts';
import type { Opened } from '../../state/opened.ts';
import { announce } from './announce.ts';
import { Markers } from './markers.tsx';

interface ImagePaneProps {
  readonly opened: Opened;
  readonly image: StageImage;
}

const upright = { rotation: 0, mirror: { horizontal: false, vertical: false } } as const;

/** How far an arrow key moves, in fractions of the window. */
const step = 0.12;

function placeWhole(stage: Stage, { info }: StageImage): void {
  stage.place(fitRegion({ ...upright, region: wholeImage }, info, stage.window), 'at-once');
}

export function ImagePane({ opened, image }: ImagePaneProps): VNode {
  const element = useRef<HTMLDivElement>(null);
  const stage = useSignal<Stage | undefined>(undefined);
  const { info } = image;
  const setPoint = (at: Point): void => {
    const frame = stage.peek()?.frame.peek();
    if (frame === undefined) return;
    const number = setHalf({ image: inPixels(toImage(frame.matrix, at), info) });
    announce(number === undefined ? mapMessage('half-image') : mapMessage('point-added', { number }));
  };
  const press = (event: KeyboardEvent): void => {
    const on = stage.peek();
    if (on === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const { width, height } = on.window;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => on.panBy(-step, 0),
      ArrowRight: () => on.panBy(step, 0),
      ArrowUp: () => on.panBy(0, -step),
      ArrowDown: () => on.panBy(0, step),
      '+': () => on.zoomBy(1.5),
      '=': () => on.zoomBy(1.5),
      '-': () => on.zoomBy(1 / 1.5),
      '0': () => placeWhole(on, image),
      Enter: () => setPoint({ x: width / 2, y: height / 2 }),
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  };
  useLayoutEffect(() => {
    if (element.current === null) return undefined;
    const made = new Stage(element.current, {
      onResize: () => placeWhole(made, image),
      onPointer: ({ kind, at }) => {
        if (kind === 'click') setPoint(at);
      },
    });
    const label = mapMessage('image-of', { label: opened.card.label });
    made.focusElement.setAttribute('role', 'application');
    made.focusElement.setAttribute('aria-label', `${label}. ${mapMessage('enter-sets')}`);
    made.focusElement.addEventListener('keydown', press);
    void made.show(image).then((isShown) => isShown && placeWhole(made, image));
    stage.value = made;
    return () => {
      stage.value = undefined;
      made.close();
    };
  }, []);
  const frame = stage.value?.frame.value;
  const onScreen = (point: Point): Point =>
    frame === undefined ? point : toScreen(frame.matrix, inFractions(point, info));
  const half = halfPoint.value.image;
  return (
    <div class="map-pane image-pane">
      <div class="map-window" ref={element} />
      <span class="map-cross" aria-hidden="true" />
      {frame && (
        <Markers
          places={ownPoints.value.points.map(onScreen)}
          half={half && onScreen(half)}
          onMove={(index, at) => changePoint(index, inPixels(toImage(frame.matrix, at), info))}
        />
      )}
    </div>
  );
}
