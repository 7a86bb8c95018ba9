/** Buttons: with an icon and a tooltip, or with a text. */
import type { IconNode } from 'lucide';
import type { ComponentChildren, VNode } from 'preact';
import { shortcutsOn } from '../../state/stored-preferences.ts';
import { Icon } from './icon.tsx';
import { ariaKeys, isSingleKey, keyName } from './key-names.ts';

interface IconButtonProps {
  readonly icon: IconNode;
  /** The name for screen readers and in the tooltip. */
  readonly name: string;
  /** A short name below the icon on large screens. */
  readonly word?: string;
  /** The key that does the same, shown in the tooltip. */
  readonly shortcut?: string;
  readonly onClick: () => void;
  /** For toggle buttons. */
  readonly pressed?: boolean | undefined;
  readonly disabled?: boolean;
  /** Whether it gives the pointer a tool. */
  readonly tool?: boolean;
  readonly class?: string;
}

/**
 * Disabled buttons keep the keyboard's focus: without it, a reader who has just pressed the button, such as on the last
 * page, would have to start from the top of the page.
 */
const disabling = (disabled: boolean | undefined, onClick: () => void) =>
  disabled === true ? { 'aria-disabled': true } : { onClick };

/** The shortcut, unless the reader has turned single keys off. */
const activeShortcut = (shortcut: string | undefined): string | undefined =>
  shortcut === undefined || (isSingleKey(shortcut) && !shortcutsOn.value) ? undefined : shortcut;

export function IconButton(props: IconButtonProps): VNode {
  const { icon, name, word, pressed, disabled, onClick } = props;
  const shortcut = activeShortcut(props.shortcut);
  return (
    <button
      type="button"
      class={`icon-button ${props.tool ? 'tool' : ''} ${props.class ?? ''}`}
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
  readonly primary?: boolean;
  readonly pressed?: boolean;
  readonly disabled?: boolean;
  /** Whether it gives the pointer a tool. */
  readonly tool?: boolean;
}

export const Button = ({ icon, primary, pressed, disabled, tool, onClick, children }: ButtonProps): VNode => (
  <button
    type="button"
    class={`button ${primary ? 'primary' : ''} ${tool ? 'tool' : ''}`}
    aria-pressed={pressed}
    {...disabling(disabled, onClick)}
  >
    {icon && <Icon of={icon} size={16} />}
    {children}
  </button>
);
