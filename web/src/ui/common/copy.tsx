/** Buttons that copy a text to the clipboard, alone or in a row with the text. */
import { useSignal } from '@preact/signals';
import { Check, Copy } from 'lucide';
import type { ComponentChildren, VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { Icon } from './button.tsx';

/** The clipboard API needs a secure page; elsewhere a selection is copied. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) {
    try {
      await navigator.clipboard.writeText(text);
      return;
    } catch {
      // Frames may lack the permission; copying a selection may still work.
    }
  }
  const area = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
  area.className = 'off-screen';
  // Outside of an open modal dialog nothing can be selected.
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

interface CopyButtonProps {
  readonly text: () => string;
  /** The name of the button, such as "Copy the address". */
  readonly name: string;
  readonly label?: string;
}

export function CopyButton({ text, name, label }: CopyButtonProps): VNode {
  const copied = useSignal(false);
  const copy = async (): Promise<void> => {
    await copyText(text());
    copied.value = true;
    setTimeout(() => {
      copied.value = false;
    }, 1800);
  };
  return (
    <button
      type="button"
      class="button copy"
      aria-label={label === undefined ? name : undefined}
      title={name}
      onClick={copy}
    >
      <Icon of={copied.value ? Check : Copy} size={16} />
      <span aria-live="polite">{copied.value ? message('copied') : (label ?? message('copy'))}</span>
    </button>
  );
}

interface CopyRowProps {
  readonly name: string;
  readonly text: string;
  /** The target of a link, if the text is an address. */
  readonly href?: string;
  /** Remarks below the text. */
  readonly children?: ComponentChildren;
}

/** A text with its name and a button that copies it. */
export const CopyRow = ({ name, text, href, children }: CopyRowProps): VNode => (
  <div class="copy-row">
    <h4>{name}</h4>
    <CopyButton text={() => text} name={message('copy-named', { name })} />
    {href === undefined ? (
      <code class="copy-text clip" title={text}>
        {text}
      </code>
    ) : (
      <a class="copy-text clip" href={href} title={text} target="_blank" rel="noopener">
        {text}
      </a>
    )}
    {children}
  </div>
);
