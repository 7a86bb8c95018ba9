/** The rectangles on the image: rotated with it, numbered, and with handles at the corners of the selected one. */
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { nearestOnImage, rectangleBetween } from '../../model/notes/mark-edits.ts';
import { cornersOf, type Matrix, toScreen } from '../../model/view/geometry.ts';
import type { MarkedRegion, Point, Rect } from '../../model/view-state.ts';
import { placeRectangle } from '../../state/notes/note-edits.ts';
import { isSelected, notes } from '../../state/notes/notes.ts';
import { frame } from '../../state/stages.ts';
import { showRectangle } from '../../state/viewport.ts';
import { nameOfNote } from '../common/words.ts';
import { Handle, NoteHandle, NoteLabel } from './handle.tsx';
import { Lines, pathOf } from './stage-overlay.tsx';

/** The corner that is nearest to the left and top of the screen. */
export function labelCorner(rectangle: Rect, matrix: Matrix): Point {
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
          class="point-handle"
          name={message('region-corner', { number: at + 1, corner: index + 1 })}
          onMove={(to, group) => {
            const opposite = corners[(index + 2) % 4] ?? corner;
            const next = rectangleBetween(nearestOnImage(to), opposite);
            if (next.width > 0 && next.height > 0) placeRectangle(at, next, group);
          }}
        />
      ))}
    </>
  );
}

function Region({ region, at }: RegionProps): VNode | null {
  const now = frame.value;
  if (now === undefined) return null;
  const label = labelCorner(region, now.matrix);
  return (
    <>
      <NoteHandle
        note={{ kind: 'rectangle', at }}
        at={label}
        name={nameOfNote('region-name', at, region.text)}
        class="region-handle"
        onClick={() => showRectangle(region)}
        onMove={(to, group) => {
          const x = keepInside(region.x + to.x - label.x, region.width);
          const y = keepInside(region.y + to.y - label.y, region.height);
          placeRectangle(at, { ...region, x, y }, group);
        }}
      >
        <NoteLabel at={at} text={region.text} />
      </NoteHandle>
      {isSelected('rectangle', at) && <Corners region={region} at={at} />}
    </>
  );
}

export const Regions = (): VNode => (
  <>
    {notes.value.rectangles.map((region, at) => (
      <Region key={at} region={region} at={at} />
    ))}
  </>
);

export const RegionLines = ({ matrix }: { readonly matrix: Matrix }): VNode => (
  <>
    {notes.value.rectangles.map((region, at) => (
      <Lines
        key={at}
        path={pathOf([{ points: cornersOf(region), closed: true }], matrix)}
        class={`region-lines ${isSelected('rectangle', at) ? 'chosen' : ''}`}
        color={region.color}
      />
    ))}
  </>
);
