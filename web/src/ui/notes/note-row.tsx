/** One note in a list: its number, text, details and tools. */
import { ArrowDown, ArrowUp, ScanSearch, Trash2 } from 'lucide';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import type { NoteContent } from '../../model/view-state.ts';
import { remove, renumberBy } from '../../state/notes/note-edits.ts';
import { isSelected, type NoteKind, selected } from '../../state/notes/notes.ts';
import { hasText } from '../../state/tools.ts';
import { IconButton } from '../common/button.tsx';
import { lazilyQuiet } from '../common/lazy.tsx';
import { noteStyle } from '../common/note-style.ts';
import { NoteDetails } from './note-details.tsx';
import { NoteText } from './note-text.tsx';
import { focusUndo } from './undo-redo.tsx';

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
    <div class="note-tools">
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
