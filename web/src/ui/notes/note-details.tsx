/** The tags of a note, and, while it is selected, the fields that change its tags and its color. */
import { X } from 'lucide';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import type { MessageKey } from '../../messages/messages.ts';
import type { NoteContent } from '../../model/view-state.ts';
import { addTags, removeTag, setNoteColor } from '../../state/notes/note-edits.ts';
import type { Selected } from '../../state/notes/notes.ts';
import { focusStage } from '../../state/stages.ts';
import { Icon } from '../common/button.tsx';
import { noteStyle } from '../common/elements.ts';

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
      <li class="note-tag" key={tag}>
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

export function NoteDetails({ note, name, content, isChosen }: DetailsProps): VNode {
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
