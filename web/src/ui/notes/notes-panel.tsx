/** The panel of marks and regions: their tools, their lists with texts and positions, and their file. */
import { useSignal, useSignalEffect } from '@preact/signals';
import { Circle, SquareDashed } from 'lucide';
import type { VNode } from 'preact';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { message } from '../../messages/messages.ts';
import '../../messages/panel-messages.ts';
import { deskRoute } from '../../model/address/routes.ts';
import type { NoteContent, Point, Rect } from '../../model/view-state.ts';
import { notes, noteToWrite } from '../../state/notes/notes.ts';
import { removeAllOf, removeLastOf, takeTool } from '../../state/notes/sketch.ts';
import { openedNow } from '../../state/opened.ts';
import { tool } from '../../state/tools.ts';
import { frame, view } from '../../state/view.ts';
import { showRectangle, showRegion } from '../../state/viewport.ts';
import { Button, RouteLink } from '../common/button.tsx';
import { formatCount, formatFraction, nameOfNote } from '../common/words.ts';
import { FileSection } from './file-section.tsx';
import { Deletions, NoteRow, Notices, UndoRedo } from './note-row.tsx';

function Tools(): VNode {
  const current = tool.value;
  return (
    <section class="panel-section">
      <h3>{message('draw-on-image')}</h3>
      <div class="tool-buttons">
        <Button icon={Circle} tool pressed={current === 'mark'} onClick={() => takeTool('mark')}>
          {message('tool-mark')}
        </Button>
        <Button icon={SquareDashed} tool pressed={current === 'rectangle'} onClick={() => takeTool('rectangle')}>
          {message('tool-rectangle')}
        </Button>
      </div>
      {(current === 'mark' || current === 'rectangle') && <p class="tool-hint">{message(`hint-${current}`)}</p>}
    </section>
  );
}

function Deleting(): VNode | null {
  const { marks, rectangles } = notes.value;
  if (marks.length + rectangles.length === 0) return null;
  return (
    <Deletions>
      {marks.length > 0 && <Button onClick={() => removeLastOf('mark')}>{message('delete-last-mark')}</Button>}
      {rectangles.length > 0 && (
        <Button onClick={() => removeLastOf('rectangle')}>{message('delete-last-region')}</Button>
      )}
      <Button onClick={() => removeAllOf(['mark', 'rectangle'])}>{message('delete-all')}</Button>
    </Deletions>
  );
}

/** The notes on the other pages of the book. */
function AllNotes(): VNode | null {
  const opened = openedNow();
  if (opened === undefined) return null;
  return (
    <p>
      <RouteLink to={deskRoute(opened.folder.path)}>{message('notes-of-book')}</RouteLink>
    </p>
  );
}

export const NotesPanel = (): VNode => (
  <>
    <Notices />
    <Tools />
    <div class="panel-section">
      <div class="button-row row wrap">
        <UndoRedo />
      </div>
    </div>
    <div class="panel-section">
      <NoteLists />
      <Deleting />
    </div>
    <FileSection />
    <AllNotes />
  </>
);

/** Number of notes from which there is a search field. */
const minSearched = 4;

const Positions = ({ lines }: { readonly lines: readonly string[] }): VNode => (
  <div class="note-positions muted tabular">
    {lines.map((line) => (
      <div key={line}>{line}</div>
    ))}
  </div>
);

/** Centers a point at the current scale, or at twice the size of the whole image. */
function showPoint({ x, y }: Point): void {
  const { width, height } = view.peek().region;
  const [wide, high] = [Math.min(width, 0.5), Math.min(height, 0.5)];
  showRegion({ x: x - wide / 2, y: y - high / 2, width: wide, height: high });
}

interface Listed {
  readonly at: number;
  readonly name: string;
  readonly content: NoteContent;
  readonly lines: readonly string[];
  readonly show: () => void;
}

function listedMarks(image: Size): readonly Listed[] {
  return notes.value.marks.map((mark, at) => ({
    at,
    name: nameOfNote('mark-name', at),
    content: mark,
    lines: pointLines(mark, image),
    show: () => showPoint(mark),
  }));
}

function listedRegions(image: Size): readonly Listed[] {
  return notes.value.rectangles.map((rectangle, at) => ({
    at,
    name: nameOfNote('region-name', at),
    content: rectangle,
    lines: rectangleLines(rectangle, image),
    show: () => showRectangle(rectangle),
  }));
}

interface ListProps {
  readonly title: string;
  readonly kind: 'mark' | 'rectangle';
  readonly items: readonly Listed[];
  readonly of: number;
}

const List = ({ title, kind, items, of }: ListProps): VNode | null =>
  items.length === 0 ? null : (
    <section class="panel-section">
      <h3>{title}</h3>
      <ol class="note-list list">
        {items.map(({ at, name, content, lines, show }) => (
          <NoteRow key={at} kind={kind} at={at} of={of} name={name} content={content} onShow={show}>
            <Positions lines={lines} />
          </NoteRow>
        ))}
      </ol>
    </section>
  );

function NoteLists(): VNode | null {
  const query = useSignal('');
  // A new note has no text yet that matches the search.
  useSignalEffect(() => {
    if (noteToWrite.value !== undefined) query.value = '';
  });
  const image = frame.value?.image;
  if (image === undefined) return null;
  const [marks, regions] = [listedMarks(image), listedRegions(image)];
  const total = marks.length + regions.length;
  if (total === 0) return <p class="soft">{message('notes-none')}</p>;
  const isSearched = total >= minSearched;
  const matches = ({ name, content: { text = '', tags = [] }, lines }: Listed): boolean =>
    !isSearched || query.value.trim() === '' || includesText(query.value, [name, text, ...tags, ...lines]);
  const [foundMarks, foundRegions] = [marks.filter(matches), regions.filter(matches)];
  return (
    <>
      {isSearched && (
        <input
          type="search"
          class="find-note"
          aria-label={message('find-note')}
          placeholder={message('find-note')}
          value={query.value}
          onInput={(event) => {
            query.value = event.currentTarget.value;
          }}
        />
      )}
      {foundMarks.length + foundRegions.length === 0 && (
        <p class="soft" role="status">
          {message('find-note-none', { query: query.value.trim() })}
        </p>
      )}
      <List title={message('marks')} kind="mark" items={foundMarks} of={marks.length} />
      <List title={message('regions')} kind="rectangle" items={foundRegions} of={regions.length} />
    </>
  );
}

const fractions = ({ x, y }: Point): string =>
  message('note-position-fractions', { x: formatFraction(x), y: formatFraction(y) });

const wholePixels = (fraction: number, side: number): string => formatCount(Math.round(fraction * side));

const pixels = ({ x, y }: Point, { width, height }: Size): string =>
  message('note-position-pixels', { x: wholePixels(x, width), y: wholePixels(y, height) });

const pointLines = (point: Point, image: Size): readonly string[] => [fractions(point), pixels(point, image)];

const rectangleLines = (rectangle: Rect, image: Size): readonly string[] => [
  `${fractions(rectangle)} · ${formatFraction(rectangle.width)} × ${formatFraction(rectangle.height)}`,
  `${pixels(rectangle, image)} · ${message('note-size-pixels', {
    width: wholePixels(rectangle.width, image.width),
    height: wholePixels(rectangle.height, image.height),
  })}`,
];

/** Whether any of the texts includes the query, regardless of case and spaces. */
function includesText(query: string, parts: readonly string[]): boolean {
  const plain = (text: string): string => text.toLocaleLowerCase().replace(/\s+/g, '');
  return parts.some((part) => plain(part).includes(plain(query)));
}
