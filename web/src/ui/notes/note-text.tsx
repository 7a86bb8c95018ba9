/** The field for the text of a note, which is stored with every keystroke. */
import type { VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { describe } from '../../state/notes/note-edits.ts';
import { type NoteKind, noteToWrite, selected } from '../../state/notes/notes.ts';
import { focusStage } from '../../state/stages.ts';
import { useOwnText } from '../common/own-text.ts';

interface NoteTextProps {
  readonly kind: NoteKind;
  readonly at: number;
  readonly name: string;
  readonly text: string | undefined;
}

export function NoteText({ kind, at, name, text = '' }: NoteTextProps): VNode {
  const own = useOwnText<HTMLTextAreaElement>(text);
  const wanted = noteToWrite.value;
  const isWanted = wanted?.kind === kind && wanted.at === at;
  // Before the next key, which is the first letter of the text.
  useLayoutEffect(() => {
    if (!isWanted) return;
    noteToWrite.value = undefined;
    own.ref.current?.focus({ preventScroll: true });
    own.ref.current?.scrollIntoView({ block: 'nearest' });
  }, [isWanted]);
  return (
    <textarea
      {...own}
      class="note-text"
      rows={1}
      aria-label={message('note-text-of', { name })}
      placeholder={message('note-text-hint')}
      onFocus={() => {
        selected.value = { kind, at };
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // Another Escape puts the tool away or closes the panel.
        event.preventDefault();
        focusStage();
      }}
      onInput={(event) => describe({ kind, at }, event.currentTarget.value)}
    />
  );
}
