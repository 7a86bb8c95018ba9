/** The rectangles on the image: turned with it, with their numbers, and handles at the corners of the one that is chosen. */
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { onImage } from '../../model/aim.ts';
import type { Outline } from '../../model/figure.ts';
import { cornersOf, type Matrix, toScreen } from '../../model/geometry.ts';
import { rectangleBetween } from '../../model/marks.ts';
import type { MarkedRegion, Point, Rect } from '../../model/view-state.ts';
import { placeRectangle, remove } from '../../state/note-edits.ts';
import { isSelected, notes, selected } from '../../state/notes.ts';
import { focusStage, frame } from '../../state/stage.ts';
import { showRectangle } from '../../state/viewport.ts';
import { nameOfNote } from '../notes/note-names.ts';
import { Handle } from './handle.tsx';
import { Lines, pathOf } from './lines.tsx';

const outlineOf = (rectangle: Rect): Outline => ({ points: cornersOf(rectangle), closed: true });

/** The corner that is most to the left and top as it is seen. */
function labelCorner(rectangle: Rect, matrix: Matrix): Point {
  const distanceOf = (point: Point): number => {
    const { x, y } = toScreen(matrix, point);
    return x + y * 1.01;
  };
  return cornersOf(rectangle).reduce((best, corner) => (distanceOf(corner) < distanceOf(best) ? corner : best));
}

const keepInside = (start: number, extent: number): number => Math.min(Math.max(start, 0), Math.max(0, 1 - extent));

interface RegionProps {
  readonly region: MarkedRegion;
  readonly at: number;
}

function Corners({ region, at }: RegionProps): VNode {
  const corners = cornersOf(region);
  return (
    <>
      {corners.map((corner, index) => (
        <Handle
          key={index}
          at={corner}
          class="point-place"
          name={message('region-corner', { number: at + 1, corner: index + 1 })}
          onMove={(to, of) => {
            const opposite = corners[(index + 2) % 4] ?? corner;
            const next = rectangleBetween(onImage(to), opposite);
            if (next.width > 0 && next.height > 0) placeRectangle(at, next, of);
          }}
        />
      ))}
    </>
  );
}

function RegionPlace({ region, at }: RegionProps): VNode | null {
  const now = frame.value;
  if (now === undefined) return null;
  const label = labelCorner(region, now.matrix);
  const chosen = isSelected('rectangle', at);
  const select = (): void => {
    selected.value = { kind: 'rectangle', at };
  };
  return (
    <>
      <Handle
        at={label}
        name={nameOfNote('region-name', at, region.text)}
        class="region-place"
        isSelected={chosen}
        onClick={() => {
          select();
          showRectangle(region);
        }}
        onMove={(to, of) => {
          select();
          const x = keepInside(region.x + to.x - label.x, region.width);
          const y = keepInside(region.y + to.y - label.y, region.height);
          placeRectangle(at, { ...region, x, y }, of);
        }}
        onDelete={() => {
          remove({ kind: 'rectangle', at });
          focusStage();
        }}
      >
        <span class="note-number">{at + 1}</span>
        {region.text && <span class="note-tip">{region.text}</span>}
      </Handle>
      {chosen && <Corners region={region} at={at} />}
    </>
  );
}

export const RegionPlaces = (): VNode => (
  <>
    {notes.value.rectangles.map((region, at) => (
      <RegionPlace key={at} region={region} at={at} />
    ))}
  </>
);

export function RegionLines({ matrix }: { readonly matrix: Matrix }): VNode {
  return (
    <>
      {notes.value.rectangles.map((region, at) => (
        <Lines
          key={at}
          path={pathOf([outlineOf(region)], matrix)}
          class={`region-lines ${isSelected('rectangle', at) ? 'chosen' : ''}`}
        />
      ))}
    </>
  );
}
