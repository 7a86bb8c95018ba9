/** The list of the measurements of the image with their values. */
import { Download } from 'lucide';
import type { VNode } from 'preact';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { message } from '../../messages/message.ts';
import type { Measure } from '../../model/measure/measure.ts';
import { outlinesOf } from '../../model/measure/outlines.ts';
import { removeAllOf, removeLastOf } from '../../state/notes/note-edits.ts';
import { notes } from '../../state/notes/notes.ts';
import { frame } from '../../state/stages.ts';
import { showRectangle } from '../../state/viewport.ts';
import { Button } from '../common/button.tsx';
import { NoteRow } from '../notes/note-row.tsx';
import { saveMeasures } from './measure-file.ts';
import { valuesOf } from './values.ts';

/** Shows a measurement with a margin of half its extent. */
function show({ kind, points }: Measure, image: Size): void {
  const all = outlinesOf(kind, points, image).flatMap((outline) => outline.points);
  const [xs, ys] = [all.map(({ x }) => x), all.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const side = Math.max(width, height, 0.02);
  showRectangle({ x: left - side / 2, y: top - side / 2, width: width + side, height: height + side });
}

const Values = ({ measure, image }: { readonly measure: Measure; readonly image: Size }): VNode => (
  <dl class="note-values">
    {valuesOf(measure, image).map(({ name, text, pixels }) => (
      <>
        <dt>{message(name)}</dt>
        <dd>
          {text}
          {pixels !== undefined && <small>{pixels}</small>}
        </dd>
      </>
    ))}
  </dl>
);

export function MeasureList(): VNode | null {
  const image = frame.value?.image;
  const { measures } = notes.value;
  if (image === undefined) return null;
  if (measures.length === 0) return <p class="soft">{message('measure-none')}</p>;
  return (
    <>
      <ol class="note-list">
        {measures.map((measure, at) => (
          <NoteRow
            key={at}
            kind="measure"
            at={at}
            of={measures.length}
            name={message('measure-short-name', { kind: message(`measure-${measure.kind}`), number: at + 1 })}
            content={measure}
            onShow={() => show(measure, image)}
          >
            <Values measure={measure} image={image} />
          </NoteRow>
        ))}
      </ol>
      <div class="button-row">
        <Button icon={Download} onClick={saveMeasures}>
          {message('measure-csv')}
        </Button>
        <Button onClick={() => removeLastOf('measure')}>{message('delete-last-measure')}</Button>
        <Button onClick={() => removeAllOf(['measure'])}>{message('delete-all')}</Button>
      </div>
    </>
  );
}
