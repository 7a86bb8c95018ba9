/** The notes on a compared image that is not the active one: seen, but not changed. */
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { scaleFromDpi } from '../../model/measure/extents.ts';
import { labelPositionOf, outlinesOf } from '../../model/measure/measure.ts';
import { isEmpty } from '../../model/notes/own-notes.ts';
import { cornersOf, type Matrix, toScreen } from '../../model/view/geometry.ts';
import { type Point, plainView } from '../../model/view-state.ts';
import type { Frame } from '../../stage/stage.ts';
import { notesOf, notesShown } from '../../state/notes/notes.ts';
import { allFacts } from '../../state/opened.ts';
import { active, views } from '../../state/view.ts';
import { resolutionOf } from '../../state/viewport.ts';
import { noteStyle } from '../common/elements.ts';
import { valuesOf } from '../measure/values.ts';
import { labelCorner, NoteLabel } from './handle.tsx';
import { placeValueLabels } from './measures.tsx';
import { Lines, pathOf } from './stage-overlay.tsx';

interface QuietNotesProps {
  readonly index: number;
  readonly frame: Frame;
  /** Hides what of the notes lies on a hidden part of the image. */
  readonly style: Readonly<Record<string, string>>;
}

function positionOf(matrix: Matrix, point: Point, shift: Point = { x: 0, y: 0 }) {
  const { x, y } = toScreen(matrix, point);
  return { left: `${x + shift.x}px`, top: `${y + shift.y}px` };
}

export function QuietNotes({ index, frame, style }: QuietNotesProps): VNode | null {
  const { fn, marks, rectangles } = views.value[index] ?? plainView('');
  // Reading what is stored takes too long for every frame.
  const notes = useMemo(() => notesOf({ ...plainView(fn), marks, rectangles }), [fn, marks, rectangles, active.value]);
  const { matrix, image } = frame;
  const resolution = resolutionOf(allFacts.value[index]);
  const scale = notes.scale ?? (resolution && scaleFromDpi(resolution)) ?? null;
  const texts = notes.measures.map((measure) => valuesOf(measure, image, scale)[0]?.text ?? '');
  // Movements alone keep the labels where they are beside their figures.
  const labels = useMemo(
    () => placeValueLabels(frame, notes, texts),
    [notes, JSON.stringify([matrix.slice(0, 4), texts])],
  );
  if (!notesShown.value || isEmpty(notes)) return null;
  return (
    <div class="notes-layer quiet-notes" aria-hidden="true" style={style}>
      <svg class="notes-lines" aria-hidden="true">
        {notes.rectangles.map((rectangle, at) => (
          <Lines
            key={at}
            path={pathOf([{ points: cornersOf(rectangle), closed: true }], matrix)}
            class="region-lines"
            color={rectangle.color}
          />
        ))}
        {notes.measures.map(({ kind, points, color }, at) => (
          <Lines
            key={at}
            path={pathOf(outlinesOf(kind, points, image), matrix)}
            class={`measure-lines ${kind}`}
            color={color}
          />
        ))}
      </svg>
      {notes.rectangles.map((rectangle, at) => (
        <button
          type="button"
          disabled
          key={at}
          class="region-handle"
          style={positionOf(matrix, labelCorner(rectangle, matrix))}
        >
          <NoteLabel at={at} text={rectangle.text} />
        </button>
      ))}
      {notes.measures.map((measure, at) => (
        <button
          type="button"
          disabled
          key={at}
          class="value-handle"
          style={positionOf(matrix, labelPositionOf(measure, image), labels[at]?.shift)}
        >
          {texts[at]}
        </button>
      ))}
      {notes.marks.map((mark, at) => (
        <button
          type="button"
          disabled
          key={at}
          class="mark-handle"
          style={{ ...positionOf(matrix, mark), ...noteStyle(mark.color) }}
        >
          <NoteLabel at={at} text={mark.text} />
        </button>
      ))}
    </div>
  );
}
