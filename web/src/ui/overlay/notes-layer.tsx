/** The layer above the stage with the notes and the drawing, which follows the image in every frame. */
import '../../styles/notes.css';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { crowdedFrom } from '../../model/notes/overlay-layout.ts';
import type { Frame } from '../../stage/stage.ts';
import { notes, notesShown, selected } from '../../state/notes/notes.ts';
import { loadSiteUnits } from '../../state/notes/scale.ts';
import { isDrawing, referenceLine } from '../../state/notes/sketch.ts';
import { frame, stage } from '../../state/stages.ts';
import { nameOfMeasure } from '../measure/values.ts';
import { nameOfNote } from '../notes/note-names.ts';
import { BesideNotice } from './beside-notice.tsx';
import { CrowdedMarks } from './crowded-marks.tsx';
import { DrawingLines, DrawingValue } from './drawing.tsx';
import { Lines, pathOf } from './lines.tsx';
import { Marks } from './marks.tsx';
import { MeasureLines, MeasureValues } from './measures.tsx';
import { RegionLines, Regions } from './regions.tsx';
import { useDrawing } from './use-drawing.ts';

/** The wheel also zooms above a mark. */
function passOnWheel(event: WheelEvent): void {
  event.preventDefault();
  stage.peek()?.focusElement.dispatchEvent(new WheelEvent(event.type, event));
}

/** The name of the selected note, for screen readers. */
function nameOfSelected({ image }: Frame): string {
  const { kind, at } = selected.value ?? {};
  const { marks, rectangles, measures } = notes.value;
  if (at === undefined) return '';
  if (kind === 'mark') return nameOfNote('mark-name', at, marks[at]?.text);
  if (kind === 'rectangle') return nameOfNote('region-name', at, rectangles[at]?.text);
  const measure = measures[at];
  return measure === undefined ? '' : nameOfMeasure(measure, at, image);
}

export function NotesLayer(): VNode | null {
  const pointer = useDrawing();
  const hasMeasures = notes.value.measures.length > 0;
  useEffect(() => {
    if (hasMeasures) loadSiteUnits();
  }, [hasMeasures]);
  const now = frame.value;
  if (now === undefined) return null;
  const drawing = isDrawing.value ? { now, pointer: pointer.value } : undefined;
  return (
    <>
      <section
        class={drawing ? 'notes-layer passive' : 'notes-layer'}
        aria-label={message('notes-on-image')}
        onWheel={passOnWheel}
      >
        <svg class="notes-lines" aria-hidden="true">
          {notesShown.value && <RegionLines matrix={now.matrix} />}
          {notesShown.value && <MeasureLines {...now} />}
          {referenceLine.value && (
            <Lines path={pathOf([{ points: referenceLine.value, closed: false }], now.matrix)} class="chosen" />
          )}
          {drawing && <DrawingLines {...drawing} />}
        </svg>
        {notesShown.value && (
          <>
            <Regions />
            <MeasureValues />
            {notes.value.marks.length > crowdedFrom ? <CrowdedMarks /> : <Marks />}
          </>
        )}
        {drawing && <DrawingValue {...drawing} />}
        <p class="off-screen" role="status">
          {nameOfSelected(now)}
        </p>
      </section>
      <BesideNotice />
    </>
  );
}
