/** The reading room: a folder of the library, a light table or an image. */
import type { VNode } from 'preact';
import { message } from '../messages/message.ts';
import { page } from '../state/route.ts';
import { BrowsePage } from './browse/browse-page.tsx';
import { lazily } from './common/lazy.tsx';

const ViewPage = lazily(async () => (await import('./view/view-page.tsx')).ViewPage);
const TablePage = lazily(async () => (await import('./table/table-page.tsx')).TablePage);

function Content(): VNode {
  const here = page.value;
  switch (here.kind) {
    case 'view':
      return <ViewPage embedded={here.embedded} />;
    case 'table':
      return <TablePage route={here} />;
    case 'browse':
      return <BrowsePage route={here} />;
  }
}

/** Not a link: with the document's base address, a fragment would lead to another page. */
const skipToContent = (): void =>
  (
    document.querySelector<HTMLElement>('#content [role="application"]') ??
    document.querySelector<HTMLElement>('#content')
  )?.focus();

export const ReadingRoom = (): VNode => (
  <>
    <button type="button" class="skip-link" onClick={skipToContent}>
      {message('skip-to-content')}
    </button>
    <Content />
  </>
);
