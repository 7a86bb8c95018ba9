/** Files of notes on many images: Web Annotations, a table, and a document for Word with the details pictured. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { fetchImageFacts } from '../../data/image-info.ts';
import { sizeInside } from '../../data/images.ts';
import { baseAddress, pageSettings } from '../../data/page-settings.ts';
import { deskMessage } from '../../messages/desk-messages.ts';
import { isForeign } from '../../model/address/address-text.ts';
import type { DeskNote, NotedPage, NoteTarget } from '../../model/desk/desk.ts';
import { csvText, noteColumns, noteRows } from '../../model/measure/csv-tables.ts';
import type { Measure } from '../../model/measure/measure.ts';
import { formatAnnotations, notesOnCanvas } from '../../model/notes/annotation-page.ts';
import { servicePath } from '../../model/view/image-service.ts';
import { type Mark, type MarkedRegion, wholeImage } from '../../model/view-state.ts';
import { addressOfRoute } from '../../state/route.ts';
import { saveFile } from '../common/elements.ts';
import { detailAddress } from './detail-picture.tsx';
import { noteName, noteRoute } from './note-words.ts';
import { type WordBlock, wordDocument } from './word.ts';

/** Says how many of how many images are done. */
type Progress = (done: number, total: number) => void;

interface PageNotes {
  readonly page: NotedPage;
  readonly notes: readonly DeskNote[];
}

function byPage(notes: readonly DeskNote[]): readonly PageNotes[] {
  const pages = new Map<string, DeskNote[]>();
  for (const note of notes) pages.set(note.page.path, [...(pages.get(note.page.path) ?? []), note]);
  return [...pages.values()].flatMap((own) => (own[0] ? [{ page: own[0].page, notes: own }] : []));
}

const contentsOf = <Content>(notes: readonly DeskNote[], kind: DeskNote['kind']): readonly Content[] =>
  notes.flatMap((note) => (note.kind === kind ? [note.content as Content] : []));

const annotationsOf = (notes: readonly DeskNote[]) => ({
  marks: contentsOf<Mark>(notes, 'mark'),
  rectangles: contentsOf<MarkedRegion>(notes, 'region'),
  measures: contentsOf<Measure>(notes, 'measure'),
});

/** What annotations of a page are about; of a page of this library that was not open since, the image itself. */
async function targetOf({ path, target }: NotedPage): Promise<NoteTarget | undefined> {
  if (target !== undefined || isForeign(path)) return target;
  const facts = await fetchImageFacts(path);
  if (!facts.ok) return undefined;
  const { width, height } = facts.value;
  const canvas = baseAddress() + servicePath(path, pageSettings.iiifSlash);
  return { canvas, manifest: undefined, width, height, place: wholeImage };
}

const day = (): string => new Date().toISOString().slice(0, 10);

interface Targeted extends PageNotes {
  readonly target: NoteTarget;
}

async function targeted(notes: readonly DeskNote[], progress: Progress): Promise<readonly Targeted[]> {
  const pages = byPage(notes);
  const found: Targeted[] = [];
  for (const [index, one] of pages.entries()) {
    progress(index, pages.length);
    const target = await targetOf(one.page);
    if (target !== undefined) found.push({ ...one, target });
  }
  return found;
}

const countIn = (pages: readonly PageNotes[]): number => pages.reduce((sum, { notes }) => sum + notes.length, 0);

/** Saves a page of annotations. Returns how many notes it has. */
export async function saveAnnotations(notes: readonly DeskNote[], progress: Progress): Promise<number> {
  const pages = await targeted(notes, progress);
  const written = pages.map(({ page, notes: own, target }) => {
    const size = { width: target.width, height: target.height };
    const service = isForeign(page.path) ? undefined : baseAddress() + servicePath(page.path, pageSettings.iiifSlash);
    const canvas = { id: target.canvas, size, manifest: target.manifest, picture: undefined, service };
    return formatAnnotations(notesOnCanvas(annotationsOf(own), target.place), canvas);
  });
  const [first] = written;
  const whole = {
    ...first,
    id: `${baseAddress()}desk#notes-${day()}`,
    items: written.flatMap(({ items }) => items),
  };
  saveFile(
    new Blob([`${JSON.stringify(whole, undefined, 2)}\n`], { type: 'application/ld+json' }),
    `notes-${day()}.json`,
  );
  return countIn(pages);
}

/** Saves marks and regions as a table. Returns how many notes of all it could have. */
export async function saveTable(notes: readonly DeskNote[], progress: Progress): Promise<number> {
  const pages = await targeted(notes, progress);
  const rows = pages.flatMap(({ page, notes: own, target }) =>
    noteRows(annotationsOf(own), { path: page.path, size: target }).map((row) => [page.title, page.label, ...row]),
  );
  const text = csvText([['book', 'page', ...noteColumns], ...rows]);
  saveFile(new Blob([text], { type: 'text/csv;charset=utf-8' }), `notes-${day()}.csv`);
  return countIn(pages);
}

/** The greatest size of a picture in a document, in pixels. */
const box: Size = { width: 1200, height: 900 };

async function pictureOf({ page, region }: DeskNote): Promise<readonly WordBlock[]> {
  if (isForeign(page.path)) return [];
  const target = await targetOf(page);
  const size = target && sizeInside({ width: target.width * region.width, height: target.height * region.height }, box);
  if (size === undefined) return [];
  try {
    const answer = await fetch(detailAddress(page.path, region, size, [['mo', 'jpg']]));
    if (!answer.ok || answer.headers.get('Content-Type') !== 'image/jpeg') return [];
    const jpeg = new Uint8Array(await answer.arrayBuffer());
    return [{ kind: 'picture', jpeg, size, alt: page.label }];
  } catch {
    return [];
  }
}

/** Saves a document with a heading for each page, and picture, text, tags and address of each note. */
export async function saveWord(notes: readonly DeskNote[], progress: Progress): Promise<number> {
  const blocks: WordBlock[] = [{ kind: 'title', text: deskMessage('notes') }];
  let before: string | undefined;
  for (const [index, note] of notes.entries()) {
    progress(index, notes.length);
    const { page, content } = note;
    if (page.path !== before)
      blocks.push({ kind: 'heading', text: [page.title, page.label].filter(Boolean).join(', ') });
    before = page.path;
    const text = [content.text ?? '', (content.tags ?? []).map((tag) => `#${tag}`).join(' ')]
      .filter(Boolean)
      .join('\n');
    blocks.push(...(await pictureOf(note)), ...(text === '' ? [] : [{ kind: 'text' as const, text }]), {
      kind: 'link',
      text: noteName(note),
      address: addressOfRoute(noteRoute(note)),
    });
  }
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  saveFile(new Blob([wordDocument(blocks)], { type }), `notes-${day()}.docx`);
  return notes.length;
}
