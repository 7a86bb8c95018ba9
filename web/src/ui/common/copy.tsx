/** Copies a text, and says so. */
import { useSignal } from '@preact/signals';
import { Check, Copy } from 'lucide';
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { Icon } from './icon.tsx';

/** Browsers offer the clipboard to secure pages alone; others can copy what is selected. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) {
    try {
      await navigator.clipboard.writeText(text);
      return;
    } catch {
      // A frame without the permission: the old way may still be open.
    }
  }
  const area = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
  area.className = 'off-screen';
  // Inside of an open dialog, since what lies outside of it can't be selected.
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

interface CopyButtonProps {
  /** What is copied, made when it is asked for. */
  readonly text: () => string;
  /** What is copied, in words: "Copy the address". */
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
