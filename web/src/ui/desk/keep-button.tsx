/** The button in the bar that keeps the page, or the detail that is seen, at the desk. */
import { Bookmark } from 'lucide';
import type { VNode } from 'preact';
import { message } from '../../messages/messages.ts';
import { isKept, toggleKept } from '../../state/desk/recorder.ts';
import { IconButton } from '../common/button.tsx';

export const KeepButton = (): VNode => (
  <IconButton
    class="keep"
    icon={Bookmark}
    name={message('keep')}
    shortcut="Shift+D"
    pressed={isKept()}
    onClick={toggleKept}
  />
);
