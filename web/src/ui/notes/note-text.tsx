/** The field for the text of a note: every letter is kept at once. */
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { describe } from '../../state/note-edits.ts';
import { type NoteKind, selected } from '../../state/notes.ts';

interface NoteTextProps {
  readonly kind: NoteKind;
  readonly at: number;
  readonly name: string;
  readonly text: string | undefined;
}

export function NoteText({ kind, at, name, text = '' }: NoteTextProps): VNode {
  const field = useRef<HTMLTextAreaElement>(null);
  // Who writes may be some letters ahead of what is drawn: the field is written only where something else has changed the note.
  useEffect(() => {
    const element = field.current;
    if (element !== null && element !== document.activeElement) element.value = text;
  }, [text]);
  return (
    <textarea
      ref={field}
      class="note-text"
      rows={1}
      defaultValue={text}
      aria-label={message('note-text-of', { name })}
      placeholder={message('note-text-hint')}
      onFocus={() => {
        selected.value = { kind, at };
      }}
      onInput={(event) => describe({ kind, at }, event.currentTarget.value)}
    />
  );
}
