/** The lists of marks and regions, which can be searched. */
import { useSignal, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { message } from '../../messages/message.ts';
import type { NoteContent, Point } from '../../model/view-state.ts';
import { notes, noteToWrite } from '../../state/notes/notes.ts';
import { frame } from '../../state/stages.ts';
import { view } from '../../state/view.ts';
import { showRectangle, showRegion } from '../../state/viewport.ts';
import { nameOfNote } from './note-names.ts';
import { includesText, pointLines, rectangleLines } from './note-positions.ts';
import { NoteRow } from './note-row.tsx';

/** Number of notes from which there is a search field. */
const minSearched = 4;

const Positions = ({ lines }: { readonly lines: readonly string[] }): VNode => (
  <div class="note-positions">
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
      <ol class="note-list">
        {items.map(({ at, name, content, lines, show }) => (
          <NoteRow key={at} kind={kind} at={at} of={of} name={name} content={content} onShow={show}>
            <Positions lines={lines} />
          </NoteRow>
        ))}
      </ol>
    </section>
  );

export function NoteLists(): VNode | null {
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
