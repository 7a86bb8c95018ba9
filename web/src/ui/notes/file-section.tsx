/** Files of notes: saved, and read again. */
import { useSignal } from '@preact/signals';
import { Download, Table, TriangleAlert } from 'lucide';
import type { VNode } from 'preact';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { foreignImage } from '../../data/images.ts';
import { baseAddress, pageSettings } from '../../data/page-settings.ts';
import { countedMessage, message } from '../../messages/messages.ts';
import '../../messages/panel-messages.ts';
import { isForeign } from '../../model/address/address-text.ts';
import { csvText, noteColumns, noteRows } from '../../model/measure/csv-tables.ts';
import { type AnnotatedCanvas, formatAnnotations, notesOnCanvas } from '../../model/notes/annotation-page.ts';
import {
  type AnnotationFault,
  type FrameOf,
  parseAnnotations,
  type TargetFrame,
} from '../../model/notes/annotation-reader.ts';
import { isAddressOf } from '../../model/notes/annotation-target.ts';
import { noteCount } from '../../model/notes/own-notes.ts';
import { servicePath } from '../../model/view/image-service.ts';
import { wholeImage } from '../../model/view-state.ts';
import { identifyNotes, notes } from '../../state/notes/notes.ts';
import { type CanvasAddress, canvasAddress } from '../../state/notes/page-annotations.ts';
import { importNotes } from '../../state/notes/sketch.ts';
import { type Opened, openedNow } from '../../state/opened.ts';
import { frame } from '../../state/view.ts';
import { Button, Icon } from '../common/button.tsx';
import { saveFile } from '../common/elements.ts';
import { OpenFileButton } from '../common/open-file-button.tsx';
import { formatFault } from '../common/words.ts';

interface Imported extends ImportAnswer {
  readonly name: string;
  /** The text of the file, for importing what was left out. */
  readonly text: string;
}

/** What could not be read of a file, and why: an error where nothing of it was. */
function ImportFaults({ result }: { readonly result: Imported }): VNode {
  const { added, known, faults, name } = result;
  const [first, ...others] = faults.map(formatFault);
  const hasNone = added + known === 0;
  return (
    <div class={hasNone ? 'import-faults failed' : 'import-faults'}>
      <p class="import-fault row">
        <Icon of={TriangleAlert} size={18} />
        <strong>{message(hasNone ? 'import-failed' : 'import-partly', { name })}</strong>
      </p>
      {others.length === 0 ? (
        <p>{first}</p>
      ) : (
        <ul>
          {[first, ...others].map((fault, at) => (
            <li key={at}>{fault}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function ImportResult({ result, onAnyway }: { readonly result: Imported; readonly onAnyway: () => void }): VNode {
  const { added, known, faults } = result;
  const ofOthers = faults.some(({ reason }) => reason === 'other-image');
  return (
    <>
      {added > 0 && <p>{countedMessage('import-added', added)}</p>}
      {known > 0 && <p>{countedMessage('import-known', known)}</p>}
      {faults.length > 0 && <ImportFaults result={result} />}
      {ofOthers && added + known === 0 && <Button onClick={onAnyway}>{message('import-anyway')}</Button>}
    </>
  );
}

interface FileInputProps {
  readonly onFile: (file: File | undefined) => void;
}

function FileButtons({ onFile }: FileInputProps): VNode {
  const { marks, rectangles, measures } = notes.value;
  return (
    <div class="button-row row wrap">
      <Button icon={Download} onClick={saveNotes} disabled={marks.length + rectangles.length + measures.length === 0}>
        {message('notes-export')}
      </Button>
      {marks.length + rectangles.length > 0 && (
        <Button icon={Table} onClick={saveNotesTable}>
          {message('notes-table')}
        </Button>
      )}
      <OpenFileButton
        name={message('notes-import')}
        accept=".json,.jsonld,application/json,application/ld+json"
        onFile={onFile}
      />
    </div>
  );
}

function DropArea({ onFile }: FileInputProps): VNode {
  const isOver = useSignal(false);
  const setOver = (over: boolean) => (event: DragEvent) => {
    event.preventDefault();
    isOver.value = over;
    if (event.type === 'drop') onFile(event.dataTransfer?.files[0]);
  };
  return (
    <p
      class={isOver.value ? 'drop-area over' : 'drop-area'}
      onDragOver={setOver(true)}
      onDragLeave={setOver(false)}
      onDrop={setOver(false)}
    >
      {message('notes-file-hint')}
    </p>
  );
}

export function FileSection(): VNode {
  const result = useSignal<Imported | undefined>(undefined);
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const text = await file.text();
    result.value = { ...readNotesFile(text, 'ours'), name: file.name, text };
  };
  const readAll = ({ name, text }: Imported): void => {
    result.value = { ...readNotesFile(text, 'all'), name, text };
  };
  const now = result.value;
  return (
    <section class="panel-section">
      <h3>{message('notes-file')}</h3>
      <FileButtons onFile={(file) => void read(file)} />
      <DropArea onFile={(file) => void read(file)} />
      <div class="import-result" role="status">
        {now && <ImportResult result={now} onAnyway={() => readAll(now)} />}
      </div>
    </section>
  );
}

/** The longer side of the picture that stands for the image in a file, in pixels. */
const pictureSide = 400;

/** The addresses of a small picture of the open image, and of its service. */
function pictureOf({ path }: Opened): Pick<AnnotatedCanvas, 'picture' | 'service'> {
  const foreign = foreignImage(path)?.page.image;
  if (foreign !== undefined) return { picture: foreign.address, service: foreign.service?.id };
  const service = baseAddress() + servicePath(path, pageSettings.iiifSlash);
  return { picture: `${service}/full/!${pictureSide},${pictureSide}/0/default.jpg`, service };
}

/** Where a manifest gives its canvas no id or no size, the image alone can be named. */
const namesCanvas = ({ path }: Opened, { canvas }: CanvasAddress): boolean => {
  const page = foreignImage(path)?.page;
  return page === undefined || (page.canvas !== undefined && /^https?:/i.test(canvas));
};

/** What annotations of the open image are about, and the place of the image there, in fractions. */
function annotated(opened: Opened, image: Size): { readonly canvas: AnnotatedCanvas; readonly frame: TargetFrame } {
  const { manifest, canvas, size, place } = canvasAddress(opened, image);
  const pictures = pictureOf(opened);
  if (namesCanvas(opened, { manifest, canvas, size, place }))
    return { canvas: { id: canvas, size, manifest, ...pictures }, frame: { size, place } };
  const id = pictures.service ?? pictures.picture ?? canvas;
  return {
    canvas: { id, size: image, manifest: undefined, ...pictures },
    frame: { size: image, place: wholeImage },
  };
}

/** The name of the file, without characters that file systems refuse. */
const fileName = ({ path, card }: Opened): string =>
  isForeign(path) ? card.label.replace(/[^\p{L}\p{N}]+/gu, '-') : (path.split('/').at(-1) ?? 'image');

/** A random id (RFC 9562, section 5.4); `randomUUID` exists in secure contexts alone. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `urn:uuid:${digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
}

/** Export and import of the notes on the open image, as a file of Web Annotations. */
function saveNotes(): void {
  const opened = openedNow();
  const image = frame.peek()?.image;
  if (opened === undefined || image === undefined) return;
  const { canvas, frame: on } = annotated(opened, image);
  const page = formatAnnotations(notesOnCanvas(identifyNotes(newId), on.place), canvas);
  const text = `${JSON.stringify(page, undefined, 2)}\n`;
  saveFile(new Blob([text], { type: 'application/ld+json' }), `${fileName(opened)}.annotations.json`);
}

function saveNotesTable(): void {
  const opened = openedNow();
  const size = frame.peek()?.image;
  if (opened === undefined || size === undefined) return;
  const text = csvText([noteColumns, ...noteRows(notes.peek(), { path: opened.path, size })]);
  saveFile(new Blob([text], { type: 'text/csv;charset=utf-8' }), `${fileName(opened)}.notes.csv`);
}

interface ImportAnswer {
  readonly added: number;
  /** Those that were there before. */
  readonly known: number;
  readonly faults: readonly AnnotationFault[];
}

const withoutScheme = (address: string): string => address.replace(/^https?:/i, '');

/** The frame of annotations by what they are about: the canvas, or the image itself. */
function framesOf(opened: Opened, image: Size, which: 'ours' | 'all'): FrameOf {
  const { canvas, frame: onCanvas } = annotated(opened, image);
  const onImage: TargetFrame = { size: image, place: wholeImage };
  const isSame = (one: string, other: string | undefined): boolean =>
    one !== '' && other !== undefined && withoutScheme(one) === withoutScheme(other);
  const isOwn = (address: string): boolean =>
    !isForeign(opened.path) && address !== '' && isAddressOf(address, opened.path, pageSettings.iiifSlash);
  return ({ source, image: shown, size = image }) => {
    if (source === '' || isSame(source, canvas.id)) return onCanvas;
    if (isSame(source, canvas.service) || isSame(source, canvas.picture) || isOwn(source)) return onImage;
    // A canvas of another manifest that shows the same image.
    if (isSame(shown, canvas.service) || isSame(shown, canvas.picture) || isOwn(shown))
      return { size, place: wholeImage };
    return which === 'all' ? onCanvas : undefined;
  };
}

/** Adds the notes of a file that are not there yet; with `all` also those that name another image. */
function readNotesFile(text: string, which: 'ours' | 'all'): ImportAnswer {
  const opened = openedNow();
  const image = frame.peek()?.image;
  if (opened === undefined || image === undefined) return { added: 0, known: 0, faults: [] };
  const { annotations, faults } = parseAnnotations(text, framesOf(opened, image, which));
  const added = importNotes(annotations);
  return { added, known: noteCount(annotations) - added, faults };
}
