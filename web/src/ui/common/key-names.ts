/** How keys are called: on the reader's keyboard, and to aids by the names of ARIA. */
import { message } from '../../messages/message.ts';
import type { MessageKey } from '../../messages/messages.ts';

const signs: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Backspace: '⌫',
  Escape: 'Esc',
  Enter: '↵',
};

const named: Readonly<Record<string, MessageKey>> = {
  PageDown: 'key-page-down',
  PageUp: 'key-page-up',
  Home: 'key-home',
  End: 'key-end',
  Shift: 'key-shift',
};

function partName(part: string): string {
  const key = named[part];
  if (key !== undefined) return message(key);
  return signs[part] ?? (part.length === 1 ? part.toUpperCase() : part);
}

/** A plus between two keys; a key that is itself a plus stands alone. */
const partsOf = (shortcut: string): readonly string[] => (shortcut.length === 1 ? [shortcut] : shortcut.split('+'));

/** What stands on the keys of a shortcut such as `Shift+R`. */
export const keyName = (shortcut: string): string => partsOf(shortcut).map(partName).join('+');

/** The shortcut as `aria-keyshortcuts` writes it, where a plus is what joins keys. */
export const ariaKeys = (shortcut: string): string => (shortcut === '+' ? 'Plus' : shortcut);

/** Whether the shortcut is a letter or sign alone, which readers can turn off. */
export const isSingleKey = (shortcut: string): boolean => partsOf(shortcut).at(-1)?.length === 1;
