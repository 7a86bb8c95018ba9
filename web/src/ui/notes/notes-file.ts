/** Export and import of the notes on the open image, as a file of Web Annotations. */
import { baseAddress, pageSettings } from '../../data/page-settings.ts';
import { type AnnotationFault, parseAnnotations } from '../../model/annotation-reader.ts';
import { isAddressOf } from '../../model/annotation-source.ts';
import { type Annotations, formatAnnotations } from '../../model/annotations.ts';
import { servicePath } from '../../model/image-service.ts';
import { importNotes } from '../../state/note-edits.ts';
import { notes } from '../../state/notes.ts';
import { openedNow } from '../../state/opened.ts';
import { frame } from '../../state/stage.ts';
import { saveFile } from '../common/save-file.ts';

const lengthOf = ({ marks, rectangles, measures }: Annotations): number =>
  marks.length + rectangles.length + measures.length;

export function saveNotes(): void {
  const opened = openedNow();
  const size = frame.peek()?.image;
  if (opened === undefined || size === undefined) return;
  const source = baseAddress() + servicePath(opened.path, pageSettings.iiifSlash);
  const text = `${JSON.stringify(formatAnnotations(notes.peek(), { source, size }), undefined, 2)}\n`;
  const name = opened.path.split('/').at(-1) ?? 'image';
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
  const isOurs = (source: string): boolean =>
    which === 'all' || isAddressOf(source, opened.path, pageSettings.iiifSlash);
  const { annotations, faults } = parseAnnotations(text, size, isOurs);
  const added = lengthOf(annotations);
  if (added > 0) importNotes(annotations);
  return { added, faults };
}
