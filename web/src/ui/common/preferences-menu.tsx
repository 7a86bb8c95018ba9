/** The menu of what the reader prefers. */
import { Settings2 } from 'lucide';
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { DropDown } from './drop-down.tsx';
import { Preferences } from './preferences.tsx';

export const PreferencesMenu = (): VNode => (
  <DropDown icon={Settings2} name={message('main-menu')}>
    <Preferences />
  </DropDown>
);
