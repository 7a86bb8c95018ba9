/** All keys, and whether single letters do anything. */
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { shortcutsOn } from '../../state/preferences.ts';
import { closeDialog } from '../../state/tools.ts';
import { Dialog } from '../dialog.tsx';
import { shortcuts } from './keyboard.ts';

/** Names that are short and the same in both languages. */
const keyNames: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  PageDown: 'Page ↓',
  PageUp: 'Page ↑',
  Backspace: '⌫',
  Escape: 'Esc',
};

const shown = (key: string): string => keyNames[key] ?? (key.length === 1 ? key.toUpperCase() : key);

export const KeyboardHelp = (): VNode => (
  <Dialog title={message('keyboard')} onClose={closeDialog}>
    <label class="choice">
      <input
        type="checkbox"
        checked={shortcutsOn.value}
        onChange={(event) => {
          shortcutsOn.value = event.currentTarget.checked;
        }}
      />
      {message('shortcuts-on')}
    </label>
    <dl class="shortcuts">
      {shortcuts.map(({ keys, name }) => (
        <div key={name}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{shown(key)}</kbd>
            ))}
          </dt>
          <dd>{message(name)}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
