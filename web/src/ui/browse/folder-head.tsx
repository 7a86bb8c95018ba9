/** The head of a folder, that of a book as a title page, and that of the start page. */
import { useSignal } from '@preact/signals';
import { BookOpen, Files, LayoutGrid, Printer, Share2 } from 'lucide';
import type { VNode } from 'preact';
import { useCallback } from 'preact/hooks';
import type { FolderListing, ImageCard } from '../../../../src/core/image/folder/folder-listing.ts';
import { message } from '../../messages/messages.ts';
import { imageRoute, tableRoute } from '../../model/address/routes.ts';
import { Button, Icon, RouteLink } from '../common/button.tsx';
import { usePrintKey } from '../common/elements.ts';
import { hasMetadata, MetadataLines, MetadataValue } from '../common/folder-facts.tsx';
import { lazilyQuiet } from '../common/loading.tsx';
import { BreakableName, titleOf } from '../common/picture.tsx';
import { RightsNote } from '../common/rights-note.tsx';
import { TakeLink } from '../common/take-along.tsx';
import { countsOfPage } from '../common/words.ts';
import { FrontDetail } from './front-detail.tsx';
import { Cover, TitleLines } from './title-page.tsx';

interface FolderHeadProps {
  readonly page: FolderListing;
  readonly onOpenWith: () => void;
}

/** Leads to the first page that can be shown. */
const ReadLink = ({ first, isBook }: { readonly first: ImageCard; readonly isBook: boolean }): VNode => (
  <RouteLink class="button primary" to={imageRoute(first.path)}>
    <Icon of={BookOpen} size={18} />
    {message(isBook ? 'read' : 'see')}
  </RouteLink>
);

const firstReadable = ({ images }: FolderListing): ImageCard | undefined => images.find(({ width }) => width !== null);

const isBook = ({ behavior, images }: FolderListing): boolean =>
  behavior.includes('paged') || images.some(({ hasText }) => hasText);

function FolderActions({ page, onOpenWith }: FolderHeadProps): VNode | null {
  if (page.totalImages + page.totalFolders === 0) return null;
  const first = page.from === 1 ? firstReadable(page) : undefined;
  return (
    <div class="folder-actions wrap">
      {first && <ReadLink first={first} isBook={isBook(page)} />}
      {page.images.some(({ tier }) => tier?.documents !== false) && (
        <TakeLink form="pdf" folder={page.path} name="PDF" title={message('pdf-all')} />
      )}
      {page.totalImages > 0 && (
        <RouteLink class="button" to={tableRoute(page.path)}>
          <Icon of={LayoutGrid} size={16} />
          {message('to-light-table')}
        </RouteLink>
      )}
      <Button icon={Share2} onClick={onOpenWith}>
        {message('open-with')}
      </Button>
      {page.totalImages > 0 && <PrintButton folder={page.path} />}
      {page.totalImages > 1 && <SomePages page={page} />}
    </div>
  );
}

const RangeDialog = lazilyQuiet(async () => (await import('../take/range-dialog.tsx')).RangeDialog);

/** Opens the dialog for a range of pages. */
function SomePages({ page }: Pick<FolderHeadProps, 'page'>): VNode {
  const isOpen = useSignal(false);
  const offers = {
    documents: page.images.some(({ tier }) => tier?.documents !== false),
    texts: page.images.some(({ hasText }) => hasText),
  };
  return (
    <>
      <Button
        icon={Files}
        onClick={() => {
          isOpen.value = true;
        }}
      >
        {message('range-some')}
      </Button>
      {isOpen.value && (
        <RangeDialog
          folder={page.path}
          total={page.totalImages}
          offers={offers}
          onClose={() => {
            isOpen.value = false;
          }}
        />
      )}
    </>
  );
}

function PrintButton({ folder }: { readonly folder: string }): VNode {
  const print = useCallback(
    () => void import('../print/contact-sheet.tsx').then(({ printFolder }) => printFolder(folder)),
    [folder],
  );
  usePrintKey(print);
  return (
    <Button icon={Printer} onClick={print}>
      {message('print')}
    </Button>
  );
}

/** Titles of more characters are set smaller. */
const longFrom = 60;

export function Heading({ page }: Pick<FolderHeadProps, 'page'>): VNode {
  const title = titleOf(page);
  return (
    <h1 class={title.length < longFrom ? '' : 'long'} tabIndex={-1}>
      <BreakableName name={title} />
    </h1>
  );
}

/** The title alone, above results of a search. */
export const FolderTitle = ({ page }: Pick<FolderHeadProps, 'page'>): VNode => (
  <header class="folder-head folder-title wrap">
    <Heading page={page} />
  </header>
);

export const Summary = ({ page }: Pick<FolderHeadProps, 'page'>): VNode | null =>
  page.summary.length === 0 ? null : (
    <div class="summary">
      <MetadataValue paragraphs={page.summary} />
    </div>
  );

/** More lines of metadata are folded at first. */
const shownLines = 4;

/** Rights are said beside what is folded. */
export function Details({ page }: Pick<FolderHeadProps, 'page'>): VNode | null {
  if (!hasMetadata(page)) return null;
  const isOpen = page.metadata.length + page.homepage.length <= shownLines;
  return (
    <>
      {!isOpen && <RightsNote folder={page} />}
      <details class="details" open={isOpen}>
        <summary>{message('folder-details')}</summary>
        <dl class="metadata">
          <MetadataLines page={page} />
        </dl>
      </details>
    </>
  );
}

/** A folder with several images is presented by its first one; an image that is alone follows below. */
function PageHead({ page, onOpenWith }: FolderHeadProps): VNode {
  const cover = page.from === 1 && page.totalImages > 1 ? firstReadable(page) : undefined;
  return (
    <header class={cover ? 'folder-head title-page' : 'folder-head'}>
      {cover && <Cover card={cover} />}
      <div class="title-text">
        <Heading page={page} />
        <TitleLines page={page} />
        <p class="counts muted">{countsOfPage(page)}</p>
        <FolderActions page={page} onOpenWith={onOpenWith} />
        <Summary page={page} />
        <Details page={page} />
      </div>
    </header>
  );
}

/** The name of the library over a detail of a scan. */
const StartHead = ({ page, onOpenWith }: FolderHeadProps): VNode => (
  <header class={page.front === null ? 'start-head' : 'start-head with-picture'}>
    {page.front !== null && <FrontDetail front={page.front} />}
    <div class="start-title">
      <Heading page={page} />
      <p class="counts">{countsOfPage(page)}</p>
    </div>
    <div class="start-lead">
      <Summary page={page} />
      <FolderActions page={page} onOpenWith={onOpenWith} />
      <Details page={page} />
    </div>
  </header>
);

export const FolderHead = (props: FolderHeadProps): VNode =>
  props.page.path === '' ? <StartHead {...props} /> : <PageHead {...props} />;
