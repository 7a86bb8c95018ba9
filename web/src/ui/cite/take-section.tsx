/** What the reader can take along of a book: PDFs of the page, its chapter and all pages, the pictures and the text. */
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { chapterAround } from '../../model/address/routes.ts';
import type { Opened } from '../../state/opened.ts';
import { hasText } from '../../state/tools.ts';
import { TakeLink } from '../common/take-along.tsx';

export function TakeSection({ opened }: { readonly opened: Opened }): VNode {
  const { folder, at, images } = opened;
  const { path } = folder;
  const chapter = chapterAround(folder.contents, at, images.total);
  return (
    <section class="panel-section">
      <h3>{message('take-along')}</h3>
      <div class="downloads">
        <TakeLink form="pdf" folder={path} at={[at]} name={message('pdf-page')} />
        {chapter && <TakeLink form="pdf" folder={path} at={chapter.at} name={message('pdf-chapter')} />}
        <TakeLink form="pdf" folder={path} name={message('pdf-all')} />
        <TakeLink form="zip" folder={path} name={message('zip-all')} />
        {hasText.value && <TakeLink form="txt" folder={path} name={message('text-all')} />}
      </div>
      {chapter && <p class="soft">{message('pdf-chapter-name', { chapter: chapter.label })}</p>}
    </section>
  );
}
