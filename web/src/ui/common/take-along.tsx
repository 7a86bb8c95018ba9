/** Links to a folder's PDF, to the archive of its pictures and to its text. */
import { BookDown, FileArchive, FileText, type IconNode } from 'lucide';
import type { VNode } from 'preact';
import { baseAddress } from '../../data/page-settings.ts';
import { language } from '../../messages/message.ts';
import { type TakenForm, takenPath } from '../../model/take-along.ts';
import { Icon } from './icon.tsx';

const icons: Readonly<Record<TakenForm, IconNode>> = { pdf: BookDown, zip: FileArchive, txt: FileText };

interface TakeLinkProps {
  readonly form: TakenForm;
  readonly folder: string;
  /** Positions of the pages in the folder, from 1; all without. */
  readonly at?: readonly number[];
  readonly name: string;
}

/** A new tab shows the document while it is made, and the reading room stays where it is. */
export const TakeLink = ({ form, folder, at, name }: TakeLinkProps): VNode => (
  <a
    class="button"
    href={baseAddress() + takenPath(form, folder, language.value, at)}
    {...(form === 'zip' ? { download: '' } : { target: '_blank', rel: 'noopener' })}
  >
    <Icon of={icons[form]} size={16} />
    {name}
  </a>
);
