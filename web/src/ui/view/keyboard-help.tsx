/** All keys, and whether single letters do anything. */
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { shortcutsOn } from '../../state/preferences.ts';
import { closeDialog } from '../../state/tools.ts';
import { Dialog } from '../dialog.tsx';
import { keyName } from '../key-names.ts';
import { shortcuts } from './keyboard.ts';

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
      {message('shortcuts-choice')}
    </label>
    <dl class="shortcuts">
      {shortcuts.map(({ keys, name }) => (
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
  </Dialog>
);
