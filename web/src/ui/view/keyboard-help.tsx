/** The list of all shortcuts, which can be turned off here. */
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import type { MessageKey } from '../../messages/messages.ts';
import { shortcutsOn } from '../../state/stored-preferences.ts';
import { closeDialog, hasText } from '../../state/tools.ts';
import { Dialog } from '../common/dialog.tsx';
import { keyName } from '../common/key-names.ts';
import { type Shortcut, shortcuts } from './keyboard.ts';

interface Keys {
  readonly keys: readonly string[];
  readonly name: MessageKey;
}

/** Keys of the drawing tools and of notes. */
const drawingKeys: readonly Keys[] = [
  { keys: ['Enter'], name: 'draw-point' },
  { keys: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'], name: 'draw-aim' },
  { keys: ['Shift+ArrowLeft'], name: 'draw-aim-fine' },
  { keys: ['Backspace'], name: 'draw-take-back' },
  { keys: ['Escape'], name: 'draw-leave' },
  { keys: ['Ctrl+Z'], name: 'undo' },
  { keys: ['Ctrl+Shift+Z'], name: 'redo' },
  { keys: ['Delete'], name: 'draw-delete' },
];

/** Keys of the tool that selects text on the image. */
const textKeys: readonly Keys[] = [
  { keys: ['Shift+ArrowLeft', 'Shift+ArrowRight'], name: 'text-extend-word' },
  { keys: ['Shift+ArrowUp', 'Shift+ArrowDown'], name: 'text-extend-line' },
];

const KeyList = ({ all }: { readonly all: readonly Keys[] }): VNode => (
  <dl class="shortcuts">
    {all.map(({ keys, name }) => (
      <div key={name}>
        <dt>
          {keys.map((key) => (
            <kbd key={key}>{keyName(key)}</kbd>
          ))}
        </dt>
        <dd>{message(name)}</dd>
      </div>
    ))}
  </dl>
);

interface KeyboardHelpProps {
  /** Those of the page; by default, of the page of an image. */
  readonly of?: readonly Shortcut[];
}

export const KeyboardHelp = ({ of = shortcuts }: KeyboardHelpProps): VNode => (
  <Dialog title={message('keyboard')} onClose={closeDialog}>
    <label class="choice">
      <input
        type="checkbox"
        checked={shortcutsOn.value}
        onChange={(event) => {
          shortcutsOn.value = event.currentTarget.checked;
        }}
      />
      {message('shortcuts-choice')}
    </label>
    <KeyList all={of} />
    {hasText.value && (
      <>
        <h3>{message('tool-text')}</h3>
        <KeyList all={textKeys} />
      </>
    )}
    <h3>{message('drawing-keys')}</h3>
    <KeyList all={drawingKeys} />
  </Dialog>
);
