/** Buttons: with an icon and a name that shows as a tip, or with a text. */
import type { IconNode } from 'lucide';
import type { ComponentChildren, VNode } from 'preact';
import { shortcutsOn } from '../../state/preferences.ts';
import { Icon } from './icon.tsx';
import { ariaKeys, isSingleKey, keyName } from './key-names.ts';

interface IconButtonProps {
  readonly icon: IconNode;
  /** What it does: its name for screen readers, and its tip. */
  readonly name: string;
  /** A word of the name that stands below the icon where there is room; without it, there is the icon alone. */
  readonly word?: string;
  /** The key that does the same, shown in the tip. */
  readonly shortcut?: string;
  readonly onClick: () => void;
  /** Whether what it turns on is on; absent for a button that turns nothing on. */
  readonly pressed?: boolean | undefined;
  readonly disabled?: boolean;
  readonly class?: string;
}

/**
 * A button that can do nothing now keeps the keyboard's focus: whoever has just pressed it, at the last page for one, would
 * have to find the way back from the top of the page.
 */
const disabling = (disabled: boolean | undefined, onClick: () => void) =>
  disabled === true ? { 'aria-disabled': true } : { onClick };

/** The shortcut, unless the reader has turned single keys off. */
const working = (shortcut: string | undefined): string | undefined =>
  shortcut === undefined || (isSingleKey(shortcut) && !shortcutsOn.value) ? undefined : shortcut;

export function IconButton(props: IconButtonProps): VNode {
  const { icon, name, word, pressed, disabled, onClick } = props;
  const shortcut = working(props.shortcut);
  return (
    <button
      type="button"
      class={`icon-button ${props.class ?? ''}`}
      aria-label={name}
      title={shortcut === undefined ? name : `${name} (${keyName(shortcut)})`}
      aria-keyshortcuts={shortcut && ariaKeys(shortcut)}
      aria-pressed={pressed}
      {...disabling(disabled, onClick)}
    >
      <Icon of={icon} />
      {word !== undefined && <span class="icon-word">{word}</span>}
    </button>
  );
}

interface ButtonProps {
  readonly onClick: () => void;
  readonly children: ComponentChildren;
  readonly icon?: IconNode;
  /** The one that most readers want. */
  readonly primary?: boolean;
  readonly pressed?: boolean;
  readonly disabled?: boolean;
}

export const Button = ({ icon, primary, pressed, disabled, onClick, children }: ButtonProps): VNode => (
  <button
    type="button"
    class={primary ? 'button primary' : 'button'}
    aria-pressed={pressed}
    {...disabling(disabled, onClick)}
  >
    {icon && <Icon of={icon} size={16} />}
    {children}
  </button>
);
