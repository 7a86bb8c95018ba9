/** Links to a folder's PDF, to the archive of its pictures and to its text. */
import { BookDown, FileArchive, FileText, type IconNode } from 'lucide';
import type { VNode } from 'preact';
import { baseAddress } from '../../data/page-settings.ts';
import { language } from '../../messages/message.ts';
import { type TakenForm, takenPath } from '../../model/address/routes.ts';
import type { WantedPdf } from '../../state/pdf-making.ts';
import { Icon } from './button.tsx';

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
