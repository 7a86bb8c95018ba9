/** Handles of marks and regions, which the pointer and arrow keys move. */
import type { ComponentChildren, VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { message } from '../../messages/messages.ts';
import { nearestOnImage, rectangleBetween } from '../../model/notes/mark-edits.ts';
import { cornersOf, type Matrix, toImage, toScreen } from '../../model/view/geometry.ts';
import type { Mark, MarkedRegion, Point, Rect } from '../../model/view-state.ts';
import { isSelected, notes, type Selected, selected } from '../../state/notes/notes.ts';
import { moveMark, placeRectangle, remove } from '../../state/notes/sketch.ts';
import { focusStage, frame } from '../../state/view.ts';
import { showRectangle } from '../../state/viewport.ts';
import { noteStyle } from '../common/elements.ts';
import { nameOfNote } from '../common/words.ts';
import { Lines, pathOf } from './stage-overlay.tsx';

interface HandleProps {
  /** In fractions of the image. */
  readonly at: Point;
  /** From there to the middle of the button, in CSS pixels. */
  readonly shift?: Point;
  readonly name: string;
  readonly class: string;
  /** Of the note, as CSS writes colors. */
  readonly color?: string | undefined;
  readonly isSelected?: boolean;
  /** Whether it can be reached by Tab. */
  readonly isTabStop?: boolean;
  readonly onClick?: () => void;
  /** Called for every step; the steps of one drag, or of the keys, belong to one group. */
  readonly onMove: (to: Point, group: string) => void;
  readonly onDelete?: () => void;
  readonly children?: ComponentChildren;
}

/** Minimum length of a drag in CSS pixels; a shorter one is a click. */
const leastDrag = 3;

const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** A point of the image moved by CSS pixels. */
function shifted(at: Point, by: Point): Point | undefined {
  const now = frame.peek();
  if (now === undefined) return undefined;
  const { x, y } = toScreen(now.matrix, at);
  return toImage(now.matrix, { x: x + by.x, y: y + by.y });
}

interface Drag {
  readonly start: Point;
  readonly at: Point;
  readonly group: string;
  readonly isMoving: boolean;
}

function useDrag({ at, onMove, onClick }: Pick<HandleProps, 'at' | 'onMove' | 'onClick'>) {
  const drag = useRef<Drag | undefined>(undefined);
  const wasDragged = useRef(false);
  const end = (): void => {
    drag.current = undefined;
  };
  return {
    onPointerDown(event: PointerEvent & { readonly currentTarget: HTMLElement }) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const start = { x: event.clientX, y: event.clientY };
      drag.current = { start, at, group: `drag ${event.timeStamp}`, isMoving: false };
      wasDragged.current = false;
    },
    onPointerMove(event: PointerEvent) {
      const begun = drag.current;
      if (begun === undefined) return;
      const by = { x: event.clientX - begun.start.x, y: event.clientY - begun.start.y };
      if (!begun.isMoving && Math.hypot(by.x, by.y) < leastDrag) return;
      drag.current = { ...begun, isMoving: true };
      wasDragged.current = true;
      const to = shifted(begun.at, by);
      if (to !== undefined) onMove(to, begun.group);
    },
    onPointerUp: end,
    onPointerCancel: end,
    onClick() {
      if (!wasDragged.current) onClick?.();
      wasDragged.current = false;
    },
  };
}

export function Handle(props: HandleProps): VNode | null {
  const { at, shift = { x: 0, y: 0 }, name, isTabStop = true, onMove, onDelete, children } = props;
  const now = frame.value;
  const drag = useDrag(props);
  if (now === undefined) return null;
  const press = (event: KeyboardEvent): void => {
    const direction = arrows[event.key];
    const length = event.shiftKey ? 10 : 1;
    const to = direction && shifted(at, { x: direction.x * length, y: direction.y * length });
    if (to !== undefined) onMove(to, `keys ${name}`);
    else if ((event.key === 'Delete' || event.key === 'Backspace') && onDelete !== undefined) onDelete();
    else return;
    event.preventDefault();
  };
  const { x, y } = toScreen(now.matrix, at);
  return (
    <button
      type="button"
      class={props.class}
      aria-label={name}
      aria-pressed={props.isSelected}
      tabIndex={isTabStop ? 0 : -1}
      style={{ left: `${x + shift.x}px`, top: `${y + shift.y}px`, ...noteStyle(props.color) }}
      onKeyDown={press}
      {...drag}
    >
      {children}
    </button>
  );
}

interface NoteHandleProps extends Omit<HandleProps, 'isSelected' | 'onDelete'> {
  readonly note: Selected;
}

/** The handle of a whole note, which selects it, and deletes it with the key. */
export const NoteHandle = ({ note, onClick, onMove, ...rest }: NoteHandleProps): VNode => (
  <Handle
    {...rest}
    isSelected={isSelected(note.kind, note.at)}
    onClick={() => {
      selected.value = note;
      onClick?.();
    }}
    onMove={(to, group) => {
      selected.value = note;
      onMove(to, group);
    }}
    onDelete={() => {
      remove(note);
      focusStage();
    }}
  />
);

export const NoteLabel = ({ at, text }: { readonly at: number; readonly text: string | undefined }): VNode => (
  <>
    <span class="note-number">{at + 1}</span>
    {text && <span class="note-tip floating">{text}</span>}
  </>
);

/** The marks on the image: numbered rings. */
export const MarkHandle = ({ mark, at }: { readonly mark: Mark; readonly at: number }): VNode => (
  <NoteHandle
    note={{ kind: 'mark', at }}
    at={mark}
    name={nameOfNote('mark-name', at, mark.text)}
    class="mark-handle"
    color={mark.color}
    onMove={(to, group) => moveMark(at, nearestOnImage(to), group)}
  >
    <NoteLabel at={at} text={mark.text} />
  </NoteHandle>
);

export const Marks = (): VNode => (
  <>
    {notes.value.marks.map((mark, at) => (
      <MarkHandle key={at} mark={mark} at={at} />
    ))}
  </>
);

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

/** The rectangles on the image: rotated with it, numbered, and with handles at the corners of the selected one. */
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
