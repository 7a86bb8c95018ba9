/** What pointers do on the stage, in its own terms: tools listen to it, and may keep it from moving the image. */
import type OpenSeadragon from 'openseadragon';
import type { Point } from '../model/view-state.ts';

/** What a pointer does on the stage. A tool that uses it keeps it from moving the image. */
export interface StagePointer {
  readonly kind: 'click' | 'double-click' | 'press' | 'drag' | 'release';
  /** CSS pixels of the stage. */
  readonly at: Point;
  readonly shift: boolean;
  /** Keeps the stage from doing what it does with it. */
  use(): void;
}

/** Tells what pointers do on a viewer. */
export function followPointer(viewer: OpenSeadragon.Viewer, onPointer: (pointer: StagePointer) => void): void {
  const tell =
    (kind: StagePointer['kind']) =>
    (event: OpenSeadragon.CanvasDragEvent | OpenSeadragon.CanvasClickEvent): void => {
      // A drag that began with a press still clicks when it ends.
      if (kind === 'click' && 'quick' in event && !event.quick) return;
      const { x, y } = event.position;
      // OpenSeadragon mirrors the place of a click, and of nothing else, where the image is mirrored.
      const isMirrored = kind === 'click' && viewer.viewport.getFlip();
      onPointer({
        kind,
        at: { x: isMirrored ? viewer.viewport.getContainerSize().x - x : x, y },
        shift: event.shift,
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
    viewer.addHandler(name as 'canvas-click', tell(kind) as OpenSeadragon.EventHandler<OpenSeadragon.CanvasClickEvent>);
  }
}
