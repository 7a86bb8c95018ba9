/** Buttons: with an icon and a name that shows as a tip, or with a text. */
import type { IconNode } from 'lucide';
import type { ComponentChildren, VNode } from 'preact';
import { Icon } from './icon.tsx';

interface IconButtonProps {
  readonly icon: IconNode;
  /** What it does: its name for screen readers, and its tip. */
  readonly name: string;
  /** The key that does the same, shown in the tip. */
  readonly shortcut?: string;
  readonly onClick: () => void;
  /** Whether what it turns on is on; absent for a button that turns nothing on. */
  readonly pressed?: boolean | undefined;
  readonly disabled?: boolean;
  readonly class?: string;
}

export const IconButton = (props: IconButtonProps): VNode => (
  <button
    type="button"
    class={`icon-button ${props.class ?? ''}`}
    aria-label={props.name}
    title={props.shortcut === undefined ? props.name : `${props.name} (${props.shortcut})`}
    aria-keyshortcuts={props.shortcut}
    aria-pressed={props.pressed}
    disabled={props.disabled}
    onClick={props.onClick}
  >
    <Icon of={props.icon} />
  </button>
);

interface ButtonProps {
  readonly onClick: () => void;
  readonly children: ComponentChildren;
  readonly icon?: IconNode;
  /** The one that most readers want. */
  readonly primary?: boolean;
  readonly pressed?: boolean;
  readonly disabled?: boolean;
}

export const Button = ({ icon, primary, pressed, children, ...rest }: ButtonProps): VNode => (
  <button type="button" class={primary ? 'button primary' : 'button'} aria-pressed={pressed} {...rest}>
    {icon && <Icon of={icon} size={16} />}
    {children}
  </button>
);
