/** Export and import of the notes on the open image, as a file of Web Annotations. */
import type { Size } from '../../../../src/image/model/geometry.ts';
import { foreignImage } from '../../data/foreign-images.ts';
import { baseAddress, pageSettings } from '../../data/page-settings.ts';
import { type AnnotationFault, parseAnnotations } from '../../model/annotation-reader.ts';
import { isAddressOf } from '../../model/annotation-source.ts';
import { type AnnotatedImage, type Annotations, formatAnnotations } from '../../model/annotations.ts';
import { isForeign } from '../../model/foreign-path.ts';
import { servicePath } from '../../model/image-service.ts';
import { importNotes } from '../../state/note-edits.ts';
import { notes } from '../../state/notes.ts';
import { type Opened, openedNow } from '../../state/opened.ts';
import { frame } from '../../state/stage.ts';
import { saveFile } from '../common/save-file.ts';

const lengthOf = ({ marks, rectangles, measures }: Annotations): number =>
  marks.length + rectangles.length + measures.length;

/**
 * The address and size that annotations of the open image refer to: its service, or the canvas of another host's manifest where
 * the image covers it, else the address of that image.
 */
function annotated(opened: Opened, size: Size): AnnotatedImage {
  const page = foreignImage(opened.path)?.page;
  if (page === undefined) return { source: baseAddress() + servicePath(opened.path, pageSettings.iiifSlash), size };
  const { x, y, width, height } = page.place;
  const covers = x === 0 && y === 0 && width === 1 && height === 1;
  if (covers && page.canvas !== undefined) return { source: page.id, size: page.canvas };
  return { source: page.image?.service?.id ?? page.image?.address ?? page.id, size };
}

/** The name of the file, without characters that file systems refuse. */
const fileName = ({ path, card }: Opened): string =>
  isForeign(path) ? card.label.replace(/[^\p{L}\p{N}]+/gu, '-') : (path.split('/').at(-1) ?? 'image');

export function saveNotes(): void {
  const opened = openedNow();
  const size = frame.peek()?.image;
  if (opened === undefined || size === undefined) return;
  const text = `${JSON.stringify(formatAnnotations(notes.peek(), annotated(opened, size)), undefined, 2)}\n`;
  const name = fileName(opened);
  saveFile(new Blob([text], { type: 'application/ld+json' }), `${name}.annotations.json`);
}

export interface ImportAnswer {
  readonly added: number;
  readonly faults: readonly AnnotationFault[];
}

/** Adds the notes of a file; with `all` also those that name another image. */
export function readNotesFile(text: string, which: 'ours' | 'all'): ImportAnswer {
  const opened = openedNow();
  const size = frame.peek()?.image;
  if (opened === undefined || size === undefined) return { added: 0, faults: [] };
  const target = annotated(opened, size);
  const isOurs = (source: string): boolean =>
    which === 'all' || source === target.source || isAddressOf(source, opened.path, pageSettings.iiifSlash);
  const { annotations, faults } = parseAnnotations(text, target.size, isOurs);
  const added = lengthOf(annotations);
  if (added > 0) importNotes(annotations);
  return { added, faults };
}
