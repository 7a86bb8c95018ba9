/** A note in a list with its text and tools, and what panels of notes have above their lists. */
import { ArrowDown, ArrowUp, Eye, EyeOff, Redo2, ScanSearch, Trash2, Undo2 } from 'lucide';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import type { NoteContent } from '../../model/view-state.ts';
import { describe, remove, renumberBy } from '../../state/notes/note-edits.ts';
import {
  adoptVisiting,
  canRedo,
  canUndo,
  isSelected,
  isStored,
  isVisiting,
  type NoteKind,
  notesShown,
  noteToWrite,
  redo,
  selected,
  showOwn,
  toggleNotes,
  undo,
} from '../../state/notes/notes.ts';
import { focusStage } from '../../state/stages.ts';
import { hasText } from '../../state/tools.ts';
import { Button, IconButton } from '../common/button.tsx';
import { noteStyle, useOwnText } from '../common/elements.ts';
import { lazilyQuiet } from '../common/loading.tsx';
import { NoteDetails } from './note-details.tsx';

const RegionText = lazilyQuiet(async () => (await import('../text/region-text.tsx')).RegionText);

interface NoteRowProps {
  readonly kind: NoteKind;
  readonly at: number;
  /** Number of notes of the kind. */
  readonly of: number;
  readonly name: string;
  readonly content: NoteContent;
  readonly onShow: () => void;
  readonly children: ComponentChildren;
}

function Tools({ kind, at, of, name, onShow }: Omit<NoteRowProps, 'children' | 'content'>): VNode {
  return (
    <div class="note-tools row wrap">
      <IconButton
        icon={ScanSearch}
        name={message('go-to-of', { name })}
        onClick={() => {
          selected.value = { kind, at };
          onShow();
        }}
      />
      <IconButton
        icon={ArrowUp}
        name={message('earlier-of', { name })}
        disabled={at === 0}
        onClick={() => renumberBy({ kind, at }, -1)}
      />
      <IconButton
        icon={ArrowDown}
        name={message('later-of', { name })}
        disabled={at === of - 1}
        onClick={() => renumberBy({ kind, at }, 1)}
      />
      <IconButton
        icon={Trash2}
        name={message('delete-of', { name })}
        onClick={() => {
          remove({ kind, at });
          focusUndo();
        }}
      />
    </div>
  );
}

export function NoteRow({ content, children, ...props }: NoteRowProps): VNode {
  const { kind, at, name } = props;
  const { text, color } = content;
  const chosen = isSelected(kind, at);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (chosen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <li ref={row} class={chosen ? 'chosen' : ''} aria-label={name} aria-current={chosen ? 'true' : undefined}>
      <span
        class={kind === 'rectangle' ? 'note-badge square' : 'note-badge'}
        style={noteStyle(color)}
        aria-hidden="true"
      >
        {at + 1}
      </span>
      <div>
        <NoteText kind={kind} at={at} name={name} text={text} />
        <NoteDetails note={{ kind, at }} name={name} content={content} isChosen={chosen} />
        {children}
        {kind === 'rectangle' && hasText.value && <RegionText at={at} name={name} text={text} />}
        <Tools {...props} />
      </div>
    </li>
  );
}

interface NoteTextProps {
  readonly kind: NoteKind;
  readonly at: number;
  readonly name: string;
  readonly text: string | undefined;
}

/** The field for the text of a note, which is stored with every keystroke. */
function NoteText({ kind, at, name, text = '' }: NoteTextProps): VNode {
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

/** Moves the focus to the undo button, after the focused note was deleted. */
const focusUndo = (): void => {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.undo-notes button')?.focus());
};

/** Undo and redo of changes to notes, and the button that hides them. */
export const UndoRedo = (): VNode => (
  <>
    <span class="undo-notes">
      <Button icon={Undo2} onClick={undo} disabled={!canUndo.value}>
        {message('undo')}
      </Button>
    </span>
    <IconButton
      icon={Redo2}
      name={message('redo')}
      shortcut="Control+Shift+Z"
      onClick={redo}
      disabled={!canRedo.value}
    />
    <IconButton
      icon={notesShown.value ? Eye : EyeOff}
      name={message(notesShown.value ? 'notes-hide' : 'notes-show')}
      shortcut="X"
      onClick={toggleNotes}
    />
  </>
);

/** Notices that notes came with the address, or that the browser does not store them. */
export const Notices = (): VNode => (
  <>
    {isVisiting.value && (
      <div class="visiting" role="status">
        <p>{message('visiting-notes')}</p>
        <div class="button-row">
          <Button onClick={showOwn}>{message('visiting-show-own')}</Button>
          <Button onClick={adoptVisiting}>{message('visiting-add')}</Button>
        </div>
      </div>
    )}
    {!isStored.value && (
      <p class="visiting" role="alert">
        {message('notes-not-stored')}
      </p>
    )}
  </>
);
