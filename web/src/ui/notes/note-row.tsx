/** A note in the panel, with its text, tags, color and tools. */
import { ArrowDown, ArrowUp, Eye, EyeOff, Redo2, ScanSearch, Trash2, Undo2, X } from 'lucide';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type MessageKey, message } from '../../messages/messages.ts';
import '../../messages/panel-messages.ts';
import type { NoteContent } from '../../model/view-state.ts';
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
  type Selected,
  selected,
  showOwn,
  toggleNotes,
  undo,
} from '../../state/notes/notes.ts';
import { addTags, describe, remove, removeTag, renumberBy, setNoteColor } from '../../state/notes/sketch.ts';
import { hasText } from '../../state/tools.ts';
import { focusStage } from '../../state/view.ts';
import { Button, Icon, IconButton } from '../common/button.tsx';
import { noteStyle, useOwnText } from '../common/elements.ts';
import { lazilyQuiet } from '../common/loading.tsx';

const RegionText = lazilyQuiet(async () => (await import('../text/region-text.tsx')).RegionText);

interface NoteRowProps {
  readonly kind: NoteKind;
  readonly at: number;
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
        {content.corrects && <p class="soft corrected">{message('corrects', { text: content.corrects.exact })}</p>}
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

/** What deletes more than the one note of a row: folded, so that nobody takes it for the button that undoes. */
export const Deletions = ({ children }: { readonly children: ComponentChildren }): VNode => (
  <details class="deletions">
    <summary>{message('delete-more')}</summary>
    <div class="button-row row wrap">{children}</div>
  </details>
);

/** Notices that notes came with the address, or that the browser does not store them. */
export const Notices = (): VNode => (
  <>
    {isVisiting.value && (
      <div class="visiting" role="status">
        <p>{message('visiting-notes')}</p>
        <div class="button-row row wrap">
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

/** Each has a contrast of at least 3 to white and to the dark ground; the lines on the image have a white edge beside. */
const colors: readonly (readonly [name: MessageKey, color: string])[] = [
  ['color-red', '#d5303e'],
  ['color-orange', '#c26a00'],
  ['color-green', '#2a8a43'],
  ['color-blue', '#2f74d0'],
  ['color-violet', '#9a57c2'],
];

interface DetailsProps {
  readonly note: Selected;
  readonly name: string;
  readonly content: NoteContent;
  readonly isChosen: boolean;
}

interface TagsProps {
  readonly tags: readonly string[];
  /** Absent where tags are only shown. */
  readonly onRemove: ((tag: string) => void) | undefined;
}

const Tags = ({ tags, onRemove }: TagsProps): VNode => (
  <ul class="note-tags wrap" aria-label={message('tags-of')}>
    {tags.map((tag) => (
      <li class="note-tag chip" key={tag}>
        {tag}
        {onRemove && (
          <button type="button" aria-label={message('tag-remove', { tag })} onClick={() => onRemove(tag)}>
            <Icon of={X} size={14} />
          </button>
        )}
      </li>
    ))}
  </ul>
);

interface TagFieldProps {
  readonly name: string;
  readonly onAdd: (typed: string) => void;
}

/** Enter, a comma, and leaving the field add what is typed. */
function TagField({ name, onAdd }: TagFieldProps): VNode {
  const field = useRef<HTMLInputElement>(null);
  const add = (): void => {
    const typed = field.current?.value ?? '';
    if (field.current !== null) field.current.value = '';
    if (typed.trim() !== '') onAdd(typed);
  };
  return (
    <input
      ref={field}
      class="note-tag-field"
      type="text"
      autocomplete="off"
      enterKeyHint="done"
      maxLength={200}
      aria-label={message('tag-add-to', { name })}
      placeholder={message('tag-add')}
      onChange={add}
      onInput={({ currentTarget }) => {
        if (/[,;]/.test(currentTarget.value)) add();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        event.preventDefault();
        if (event.key === 'Enter') add();
        else focusStage();
      }}
    />
  );
}

interface ColorsProps {
  readonly note: Selected;
  readonly name: string;
  readonly color: string | undefined;
}

const Colors = ({ note, name, color }: ColorsProps): VNode => (
  <fieldset class="note-colors" aria-label={message('color-of', { name })}>
    {[['color-usual', undefined] as const, ...colors].map(([label, value]) => (
      <button
        key={label}
        type="button"
        aria-label={message(label)}
        title={message(label)}
        aria-pressed={color === value}
        style={noteStyle(value)}
        onClick={() => setNoteColor(note, value)}
      />
    ))}
  </fieldset>
);

/** The tags of a note, and, while it is selected, the fields that change its tags and its color. */
function NoteDetails({ note, name, content, isChosen }: DetailsProps): VNode {
  const { tags = [], color } = content;
  return (
    <>
      {tags.length > 0 && <Tags tags={tags} onRemove={isChosen ? (tag) => removeTag(note, tag) : undefined} />}
      {isChosen && (
        <div class="note-details row wrap">
          <TagField key={`${note.kind} ${note.at}`} name={name} onAdd={(typed) => addTags(note, typed)} />
          <Colors note={note} name={name} color={color} />
        </div>
      )}
    </>
  );
}
