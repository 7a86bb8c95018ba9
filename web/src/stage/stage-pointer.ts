/** Pointer events of the stage. */
import type OpenSeadragon from 'openseadragon';
import type { Point } from '../model/view-state.ts';

/** A pointer event. A tool that uses it keeps it from moving the image. */
export interface StagePointer {
  readonly kind: 'click' | 'double-click' | 'press' | 'drag' | 'release';
  /** CSS pixels of the stage. */
  readonly at: Point;
  readonly shift: boolean;
  /** When it happened, in ms since the page was opened. */
  readonly timeMs: number;
  /** Prevents the default action of the stage. */
  use(): void;
}

/** Calls the listener for the pointer events of a viewer. */
export function listenToPointer(viewer: OpenSeadragon.Viewer, onPointer: (pointer: StagePointer) => void): void {
  const emit =
    (kind: StagePointer['kind']) =>
    (event: OpenSeadragon.CanvasDragEvent | OpenSeadragon.CanvasClickEvent): void => {
      // OpenSeadragon reports a click also at the end of a drag.
      if (kind === 'click' && 'quick' in event && !event.quick) return;
      const { x, y } = event.position;
      // In a mirrored viewport, OpenSeadragon mirrors the position of clicks, and of no other event.
      const isMirrored = kind === 'click' && viewer.viewport.getFlip();
      onPointer({
        kind,
        at: { x: isMirrored ? viewer.viewport.getContainerSize().x - x : x, y },
        shift: event.shift,
        timeMs: event.originalEvent.timeStamp,
        use: () => {
          event.preventDefaultAction = true;
        },
      });
    };
  const names = {
    'canvas-click': 'click',
    'canvas-double-click': 'double-click',
    'canvas-press': 'press',
    'canvas-drag': 'drag',
    'canvas-drag-end': 'release',
  } as const;
  for (const [name, kind] of Object.entries(names)) {
    viewer.addHandler(name as 'canvas-click', emit(kind) as OpenSeadragon.EventHandler<OpenSeadragon.CanvasClickEvent>);
  }
}
