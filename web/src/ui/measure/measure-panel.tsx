/** The panel that measures: its tools, the scale, and the list of measurements, which can be saved. */
import {
  Circle,
  Download,
  Grid3x3,
  type IconNode,
  Proportions,
  Slash,
  Spline,
  Square,
  TriangleRight,
  VectorSquare,
} from 'lucide';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import type { Unit } from '../../../../src/core/image/model/units.ts';
import { type MessageKey, message } from '../../messages/messages.ts';
import '../../messages/panel-messages.ts';
import { csvText, measureColumns, measureRows } from '../../model/measure/csv-tables.ts';
import { type Measure, outlinesOf } from '../../model/measure/measure.ts';
import { keyOf } from '../../model/measure/units.ts';
import { around, boxAround, centerOf } from '../../model/view/geometry.ts';
import { imageScale, loadSiteUnits, notes, unitChoice, unitFor, units } from '../../state/notes/notes.ts';
import { removeAllOf, removeLastOf, takeTool } from '../../state/notes/sketch.ts';
import { openedNow } from '../../state/opened.ts';
import { type ToolName, tool } from '../../state/tools.ts';
import { focusStage, frame } from '../../state/view.ts';
import { showRectangle } from '../../state/viewport.ts';
import { Button } from '../common/button.tsx';
import { saveFile } from '../common/elements.ts';
import { Deletions, NoteRow, Notices, UndoRedo } from '../notes/note-row.tsx';
import { ScaleSection, UnitSelect } from './scale-section.tsx';
import { valuesOf } from './values.ts';

interface Choice {
  readonly tool: ToolName;
  readonly icon: IconNode;
  readonly name: MessageKey;
  readonly hint: MessageKey;
}

/** Lucide has no ellipse, no oval of arcs, and no columns. */
const ellipse: IconNode = [['ellipse', { cx: '12', cy: '12', rx: '10', ry: '6' }]];
const oval: IconNode = [
  ['path', { d: 'M7 6.5a17 17 0 0 1 10 0a5.6 5.6 0 0 1 0 11a17 17 0 0 1-10 0a5.6 5.6 0 0 1 0-11Z' }],
];
const columns: IconNode = [['path', { d: 'M3 4h6M3 20h6M4 4v16M8 4v16M15 4h6M15 20h6M16 4v16M20 4v16' }]];

const choices: readonly Choice[] = [
  { tool: 'line', icon: Slash, name: 'measure-line', hint: 'hint-two-points' },
  { tool: 'path', icon: Spline, name: 'measure-path', hint: 'hint-many-points' },
  { tool: 'angle', icon: TriangleRight, name: 'measure-angle', hint: 'hint-angle' },
  { tool: 'polygon', icon: VectorSquare, name: 'measure-polygon', hint: 'hint-many-points' },
  { tool: 'box', icon: Square, name: 'measure-rectangle', hint: 'hint-two-points' },
  { tool: 'circle', icon: Circle, name: 'measure-circle', hint: 'hint-circle' },
  { tool: 'ellipse', icon: ellipse, name: 'measure-ellipse', hint: 'hint-ellipse' },
  { tool: 'oval', icon: oval, name: 'measure-oval', hint: 'hint-oval' },
  { tool: 'grid', icon: Grid3x3, name: 'measure-grid', hint: 'hint-grid' },
  {
    tool: 'intercolumniation',
    icon: columns,
    name: 'measure-intercolumniation',
    hint: 'hint-intercolumniation',
  },
  { tool: 'proportion', icon: Proportions, name: 'measure-proportion', hint: 'hint-proportion' },
];

/** The tool that was chosen last, with which the panel opens. */
let lastChosen: ToolName = 'line';

/** A click on the tool that is chosen already leaves it so: the panel opens with one. */
function choose(name: ToolName): void {
  lastChosen = name;
  if (tool.peek() !== name) takeTool(name);
  else focusStage();
}

/** Tools that act on the image as well, which the panel does not take away. */
const keptTools: ReadonlySet<ToolName> = new Set<ToolName>(['align', 'reference-length']);

function chooseAtFirst(): void {
  if (!keptTools.has(tool.peek())) tool.value = lastChosen;
}

function Tools(): VNode {
  const chosen = choices.find((choice) => choice.tool === tool.value);
  return (
    <section class="panel-section">
      <h3>{message('measure-tools')}</h3>
      <div class="tool-buttons measure-tools">
        {choices.map(({ tool: name, icon, name: text }) => (
          <Button
            key={name}
            icon={icon}
            tool
            title={message(text)}
            pressed={tool.value === name}
            onClick={() => choose(name)}
          >
            <span class="tool-word">{message(text)}</span>
          </Button>
        ))}
      </div>
      {chosen && (
        <p class="tool-hint">
          <strong>{message(chosen.name)}</strong> {message(chosen.hint)}
        </p>
      )}
    </section>
  );
}

export function MeasurePanel(): VNode {
  useEffect(loadSiteUnits, []);
  useEffect(chooseAtFirst, []);
  return (
    <>
      <Notices />
      <Tools />
      <section class="panel-section">
        <h3>{message('measure-list')}</h3>
        <div class="button-row row wrap">
          <UndoRedo />
        </div>
        <MeasureList />
      </section>
      <section class="panel-section">
        <h3>{message('unit')}</h3>
        <UnitSelect
          label={message('unit')}
          isHeaded
          value={unitChoice.value}
          hasAutomatic
          onChange={(key) => {
            unitChoice.value = key;
          }}
        />
      </section>
      <ScaleSection />
    </>
  );
}

/** Shows a measurement with a margin of half its extent. */
function show({ kind, points }: Measure, image: Size): void {
  const all = outlinesOf(kind, points, image).flatMap((outline) => outline.points);
  const box = boxAround(all);
  if (box === undefined) return;
  const side = Math.max(box.width, box.height, 0.02);
  showRectangle(around(centerOf(box), { width: box.width + side, height: box.height + side }));
}

const Values = ({ measure, image }: { readonly measure: Measure; readonly image: Size }): VNode => (
  <dl class="note-values tabular">
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

function MeasureList(): VNode | null {
  const image = frame.value?.image;
  const { measures } = notes.value;
  if (image === undefined) return null;
  if (measures.length === 0) return <p class="soft">{message('measure-none')}</p>;
  return (
    <>
      <ol class="note-list measure-list list">
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
      <div class="button-row row wrap">
        <Button icon={Download} onClick={saveMeasures}>
          {message('measure-csv')}
        </Button>
      </div>
      <Deletions>
        <Button onClick={() => removeLastOf('measure')}>{message('delete-last-measure')}</Button>
        <Button onClick={() => removeAllOf(['measure'])}>{message('delete-all')}</Button>
      </Deletions>
    </>
  );
}

/** The chosen unit; where it depends on the length, the one that suits a centimeter, so that rows can be added up. */
const unitOfTable = (): Unit =>
  units.peek().find((unit) => keyOf(unit) === unitChoice.peek()) ??
  unitFor(unitChoice.peek() === 'imperial' ? 0.0254 : 0.005);

function saveMeasures(): void {
  const opened = openedNow();
  const size = frame.peek()?.image;
  if (opened === undefined || size === undefined) return;
  const image = { path: opened.path, size, scale: imageScale.peek(), unit: unitOfTable() };
  const text = csvText([measureColumns, ...measureRows(notes.peek().measures, image)]);
  const name = opened.path.split('/').at(-1) ?? 'image';
  saveFile(new Blob([text], { type: 'text/csv;charset=utf-8' }), `${name}.measurements.csv`);
}
