/** What a reader takes along: copied texts, and documents to download. */

import { useSignal } from '@preact/signals';
import { BookDown, Check, Copy, FileArchive, FileText, type IconNode } from 'lucide';
import type { ComponentChildren, VNode } from 'preact';
import { baseAddress } from '../../data/page-settings.ts';
import { language, message } from '../../messages/messages.ts';
import { type TakenForm, takenPath } from '../../model/address/routes.ts';
import type { WantedPdf } from '../../state/pdf-making.ts';
import { Icon, spokenName } from './button.tsx';

const icons: Readonly<Record<TakenForm, IconNode>> = { pdf: BookDown, zip: FileArchive, txt: FileText };

interface TakeLinkProps {
  readonly form: TakenForm;
  readonly folder: string;
  /** Positions of the pages in the folder, from 1; all without. */
  readonly at?: readonly number[];
  readonly name: string;
  /** What the document is called while it is made, where the name is short. */
  readonly title?: string;
}

/** A click that only follows the link: others open a tab or save. */
const isPlain = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;

/** The reading room shows how far a PDF is; where the part for that can't be loaded, a tab shows it as it is made. */
function showProgress(event: MouseEvent, wanted: WantedPdf): void {
  if (!isPlain(event)) return;
  event.preventDefault();
  const { href } = event.currentTarget as HTMLAnchorElement;
  import('./pdf-progress.tsx').then(
    ({ beginPdf }) => beginPdf(wanted),
    () => location.assign(href),
  );
}

export const TakeLink = ({ form, folder, at, name, title }: TakeLinkProps): VNode => (
  <a
    class="button"
    href={baseAddress() + takenPath(form, folder, language.value, at)}
    {...(form === 'pdf' && {
      onClick: (event: MouseEvent) => showProgress(event, { folder, at, name: title ?? name }),
    })}
    {...(form === 'zip' ? { download: '' } : { target: '_blank', rel: 'noopener' })}
  >
    <Icon of={icons[form]} size={16} />
    {name}
  </a>
);

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
      aria-label={label === undefined ? spokenName(name, message('copy')) : undefined}
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
