/** The marks on the image: numbered rings. */
import type { VNode } from 'preact';
import { nearestOnImage } from '../../model/notes/mark-edits.ts';
import type { Mark } from '../../model/view-state.ts';
import { moveMark } from '../../state/notes/note-edits.ts';
import { notes } from '../../state/notes/notes.ts';
import { nameOfNote } from '../notes/note-names.ts';
import { NoteHandle } from './handle.tsx';

/** The number and the text of a note. */
export const NoteLabel = ({ at, text }: { readonly at: number; readonly text: string | undefined }): VNode => (
  <>
    <span class="note-number">{at + 1}</span>
    {text && <span class="note-tip">{text}</span>}
  </>
);

export const MarkHandle = ({ mark, at }: { readonly mark: Mark; readonly at: number }): VNode => (
  <NoteHandle
    note={{ kind: 'mark', at }}
    at={mark}
    name={nameOfNote('mark-name', at, mark.text)}
    class="mark-handle"
    color={mark.color}
    onMove={(to, group) => moveMark(at, nearestOnImage(to), group)}
  >
    <NoteLabel at={at} text={mark.text} />
  </NoteHandle>
);

export const Marks = (): VNode => (
  <>
    {notes.value.marks.map((mark, at) => (
      <MarkHandle key={at} mark={mark} at={at} />
    ))}
  </>
);
