/** The control points over a window, which the pointer can move; the list of points is what the keyboard uses. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { Point } from '../../model/view-state.ts';
import { chosenPoint } from './announce.ts';

interface MarkersProps {
  /** CSS pixels of the window. */
  readonly places: readonly Point[];
  /** A point of which this half is set, and the other is missing. */
  readonly half: Point | undefined;
  /** Called once a point was moved. */
  readonly onMove: (index: number, to: Point) => void;
}

interface Drag {
  readonly index: number;
  readonly by: Point;
}

export function Markers({ places, half, onMove }: MarkersProps): VNode {
  const drag = useSignal<Drag | undefined>(undefined);
  const from = useSignal<Point>({ x: 0, y: 0 });
  const start = (index: number) => (event: PointerEvent & { currentTarget: HTMLElement }) => {
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    from.value = { x: event.clientX, y: event.clientY };
    drag.value = { index, by: { x: 0, y: 0 } };
    chosenPoint.value = index;
  };
  const move = ({ clientX, clientY }: PointerEvent): void => {
    const now = drag.peek();
    if (now !== undefined) drag.value = { ...now, by: { x: clientX - from.peek().x, y: clientY - from.peek().y } };
  };
  const end = (): void => {
    const now = drag.peek();
    const place = now && places[now.index];
    drag.value = undefined;
    if (now && place && Math.hypot(now.by.x, now.by.y) > 1)
      onMove(now.index, { x: place.x + now.by.x, y: place.y + now.by.y });
  };
  return (
    <div class="map-markers" aria-hidden="true">
      {places.map(({ x, y }, index) => {
        const by = drag.value?.index === index ? drag.value.by : { x: 0, y: 0 };
        return (
          <span
            key={index}
            class={chosenPoint.value === index ? 'map-marker chosen' : 'map-marker'}
            style={{ transform: `translate(${x + by.x}px, ${y + by.y}px)` }}
            onPointerDown={start(index)}
            onPointerMove={move}
            onPointerUp={end}
            onPointerCancel={() => {
              drag.value = undefined;
            }}
          >
            <b>{index + 1}</b>
          </span>
        );
      })}
      {half && <span class="map-marker half" style={{ transform: `translate(${half.x}px, ${half.y}px)` }} />}
    </div>
  );
}
