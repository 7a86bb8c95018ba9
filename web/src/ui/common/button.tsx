/** Icons, buttons with an icon and a tooltip or with a text, and links within the reading room. */
import type { IconNode } from 'lucide';
import { type ComponentChildren, h, type VNode } from 'preact';
import type { Route } from '../../model/address/routes.ts';
import { addressOfRoute, followLink } from '../../state/route.ts';
import { shortcutsOn } from '../../state/stored-preferences.ts';
import { ariaKeys, isSingleKey, keyName } from './words.ts';

interface IconButtonProps {
  readonly icon: IconNode;
  /** The name for screen readers and in the tooltip. */
  readonly name: string;
  /** A short name below the icon on large screens. */
  readonly word?: string;
  /** The key that does the same, shown in the tooltip. */
  readonly shortcut?: string;
  readonly onClick: () => void;
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

/**
 * The name of a button for screen readers. It begins with the visible word where it does not contain it: who speaks to the browser says
 * what is seen (WCAG 2.2, 2.5.3).
 */
export function spokenName(name: string, word: string | undefined): string {
  const wordsOf = (text: string): string => ` ${(text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(' ')} `;
  return word === undefined || wordsOf(name).includes(wordsOf(word)) ? name : `${word}: ${name}`;
}

export function IconButton(props: IconButtonProps): VNode {
  const { icon, name, word, pressed, disabled, onClick } = props;
  const shortcut = activeShortcut(props.shortcut);
  return (
    <button
      type="button"
      class={`icon-button ${props.tool ? 'tool' : ''} ${props.class ?? ''}`}
      aria-label={spokenName(name, word)}
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
  /** A tooltip, where the text is not always seen. */
  readonly title?: string;
}

export const Button = ({ icon, primary, pressed, disabled, tool, title, onClick, children }: ButtonProps): VNode => (
  <button
    type="button"
    title={title}
    class={`button ${primary ? 'primary' : ''} ${tool ? 'tool' : ''}`}
    aria-pressed={pressed}
    {...disabling(disabled, onClick)}
  >
    {icon && <Icon of={icon} size={16} />}
    {children}
  </button>
);

/** An icon of Lucide, hidden from screen readers: the button around it has a name. */
export const Icon = ({ of, size = 20 }: { readonly of: IconNode; readonly size?: number }): VNode => (
  <svg
    class="icon"
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.75"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    {of.map(([tag, attributes]) => h(tag, attributes))}
  </svg>
);

interface RouteLinkProps {
  readonly to: Route;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly 'aria-current'?: 'page' | 'true' | undefined;
  readonly 'aria-label'?: string;
  readonly rel?: string;
  readonly title?: string;
}

/** A link to a route of the reading room: with a real address, but without loading the document again. */
export const RouteLink = ({ to, children, ...rest }: RouteLinkProps): VNode => (
  <a href={addressOfRoute(to)} onClick={followLink(to)} {...rest}>
    {children}
  </a>
);
