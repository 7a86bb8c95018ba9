/** The root component: renders the page of the route. */
import type { VNode } from 'preact';
import { message } from '../messages/messages.ts';
import { page } from '../state/route.ts';
import { BrowsePage } from './browse/browse-page.tsx';
import { lazily } from './common/loading.tsx';

const ViewPage = lazily(async () => (await import('./view/view-page.tsx')).ViewPage);
const ComparePage = lazily(async () => (await import('./compare/compare-page.tsx')).ComparePage);
const DeskPage = lazily(async () => (await import('./desk/desk-page.tsx')).DeskPage);
const LightTablePage = lazily(async () => (await import('./light-table/light-table-page.tsx')).LightTablePage);
const TablePage = lazily(async () => (await import('./table/table-page.tsx')).TablePage);

function Content(): VNode {
  const route = page.value;
  switch (route.kind) {
    case 'view':
      return <ViewPage embedded={route.embedded} />;
    case 'compare':
      return <ComparePage />;
    case 'table':
      return <TablePage route={route} />;
    case 'desk':
      return <DeskPage route={route} />;
    case 'light-table':
      return <LightTablePage route={route} />;
    case 'browse':
      return <BrowsePage route={route} />;
  }
}

/** Not a link: with a `base` element, a fragment would lead to another page. */
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
