/** Undo and redo of changes to notes, and the button that hides them. */
import { Eye, EyeOff, Redo2, Undo2 } from 'lucide';
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { canRedo, canUndo, notesShown, redo, toggleNotes, undo } from '../../state/notes/notes.ts';
import { Button, IconButton } from '../common/button.tsx';

/** Moves the focus to the undo button, after the focused note was deleted. */
export const focusUndo = (): void => {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.undo-notes button')?.focus());
};

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
