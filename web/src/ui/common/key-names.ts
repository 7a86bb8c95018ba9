/** Names of keys, for the reader and for `aria-keyshortcuts`. */
import { message } from '../../messages/message.ts';
import type { MessageKey } from '../../messages/messages.ts';

const signs: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Backspace: '⌫',
  Enter: '↵',
};

const named: Readonly<Record<string, MessageKey>> = {
  PageDown: 'key-page-down',
  PageUp: 'key-page-up',
  Home: 'key-home',
  End: 'key-end',
  Shift: 'key-shift',
  Ctrl: 'key-control',
  Delete: 'key-delete',
  Escape: 'key-escape',
  ' ': 'key-space',
};

function partName(part: string): string {
  const key = named[part];
  if (key !== undefined) return message(key);
  return signs[part] ?? (part.length === 1 ? part.toUpperCase() : part);
}

/** Keys are joined by a plus; the plus key itself has no modifiers. */
const partsOf = (shortcut: string): readonly string[] => (shortcut.length === 1 ? [shortcut] : shortcut.split('+'));

/** The labels of the keys of a shortcut such as `Shift+R`. */
export const keyName = (shortcut: string): string => partsOf(shortcut).map(partName).join('+');

/** The shortcut for `aria-keyshortcuts`, where a plus joins keys. */
export const ariaKeys = (shortcut: string): string => (shortcut === '+' ? 'Plus' : shortcut);

/** Whether the shortcut is a character key, which readers can turn off. */
export const isSingleKey = (shortcut: string): boolean => partsOf(shortcut).at(-1)?.length === 1;
