/** A place of a note that can be taken: dragged by the pointer, moved by the arrow keys, deleted. */
import type { ComponentChildren, VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { toImage, toScreen } from '../../model/geometry.ts';
import type { Point } from '../../model/view-state.ts';
import { frame } from '../../state/stage.ts';

export interface HandleProps {
  /** In fractions of the image. */
  readonly at: Point;
  readonly name: string;
  readonly class: string;
  readonly isSelected?: boolean;
  /** Whether the keyboard comes by. */
  readonly isPassedByKeys?: boolean;
  readonly onClick?: () => void;
  readonly onFocus?: () => void;
  /** Called with every step; steps of one movement have the same `of`. */
  readonly onMove: (to: Point, of: string) => void;
  readonly onDelete?: () => void;
  readonly children?: ComponentChildren;
}

/** CSS pixels below which a drag is a click. */
const leastDrag = 3;

const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** The point of the image so many CSS pixels from another. */
function shifted(at: Point, by: Point): Point | undefined {
  const now = frame.peek();
  if (now === undefined) return undefined;
  const { x, y } = toScreen(now.matrix, at);
  return toImage(now.matrix, { x: x + by.x, y: y + by.y });
}

interface Drag {
  readonly start: Point;
  readonly at: Point;
  readonly of: string;
  readonly isMoving: boolean;
}

/** What of the pointer's way is a drag, and that a drag is no click. */
function useDrag({ at, onMove, onClick }: Pick<HandleProps, 'at' | 'onMove' | 'onClick'>) {
  const drag = useRef<Drag | undefined>(undefined);
  const wasDragged = useRef(false);
  return {
    onPointerDown(event: PointerEvent & { readonly currentTarget: HTMLElement }) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = {
        start: { x: event.clientX, y: event.clientY },
        at,
        of: `drag ${event.timeStamp}`,
        isMoving: false,
      };
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
      if (to !== undefined) onMove(to, begun.of);
    },
    onPointerUp() {
      drag.current = undefined;
    },
    onPointerCancel() {
      drag.current = undefined;
    },
    onClick() {
      if (!wasDragged.current) onClick?.();
      wasDragged.current = false;
    },
  };
}

export function Handle(props: HandleProps): VNode | null {
  const { at, name, isSelected, isPassedByKeys = true, onMove, onDelete, onFocus, children } = props;
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
      aria-pressed={isSelected}
      tabIndex={isPassedByKeys ? 0 : -1}
      style={{ left: `${x}px`, top: `${y}px` }}
      onKeyDown={press}
      onFocus={onFocus}
      {...drag}
    >
      {children}
    </button>
  );
}
