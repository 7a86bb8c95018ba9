/** The head of a folder, and that of the start page: title, summary, metadata, rights and actions. */
import { useSignal } from '@preact/signals';
import { Files, LayoutGrid, Printer, Share2 } from 'lucide';
import type { VNode } from 'preact';
import { useCallback } from 'preact/hooks';
import type { FolderListing, FrontPicture } from '../../../../src/core/image/folder/folder-listing.ts';
import { pictureAddress } from '../../data/images.ts';
import { message } from '../../messages/messages.ts';
import { tableRoute, viewRoute } from '../../model/address/routes.ts';
import { plainView } from '../../model/view-state.ts';
import { Button, Icon, RouteLink } from '../common/button.tsx';
import { usePrintKey } from '../common/elements.ts';
import { hasMetadata, MetadataLines, MetadataValue } from '../common/folder-facts.tsx';
import { lazilyQuiet } from '../common/loading.tsx';
import { BreakableName, titleOf } from '../common/picture.tsx';
import { TakeLink } from '../common/take-along.tsx';
import { countsOfPage } from '../common/words.ts';

interface FolderHeadProps {
  readonly page: FolderListing;
  readonly onOpenWith: () => void;
}

const FolderActions = ({ page, onOpenWith }: FolderHeadProps): VNode | null =>
  page.totalImages + page.totalFolders === 0 ? null : (
    <div class="folder-actions wrap">
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
      {page.images.some(({ tier }) => tier?.documents !== false) && (
        <TakeLink form="pdf" folder={page.path} name="PDF" title={message('pdf-all')} />
      )}
      {page.totalImages > 1 && <SomePages page={page} />}
    </div>
  );

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

function Heading({ page }: Pick<FolderHeadProps, 'page'>): VNode {
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

const FolderDetails = ({ page }: Pick<FolderHeadProps, 'page'>): VNode => (
  <>
    {page.summary.length > 0 && (
      <div class="summary">
        <MetadataValue paragraphs={page.summary} />
      </div>
    )}
    {hasMetadata(page) && (
      <dl class="metadata">
        <MetadataLines page={page} />
      </dl>
    )}
  </>
);

/** Widths of the picture in pixels, of which the browser takes the smallest that is sharp. */
const widths = [640, 1280, 1920, 2560];

/** The detail in a width, not enlarged. */
function detailAddress({ path, region, width, height }: FrontPicture, wished: number): string {
  const shown = Math.min(width, wished);
  const size = { width: shown, height: Math.max(1, Math.round((shown * height) / width)) };
  return pictureAddress(
    path,
    size,
    [
      ['wx', region.x],
      ['wy', region.y],
      ['ww', region.width],
      ['wh', region.height],
    ].map(([name, value]) => [String(name), String(value)] as const),
  );
}

const Detail = ({ front }: { readonly front: FrontPicture }): VNode => (
  <RouteLink
    class="front-picture"
    to={viewRoute({ ...plainView(front.path), region: front.region })}
    aria-label={message('front-picture', { title: front.title || front.path })}
  >
    <img
      src={detailAddress(front, 1280)}
      srcset={widths.map((width) => `${detailAddress(front, width)} ${Math.min(front.width, width)}w`).join(', ')}
      sizes="(min-width: 84rem) 84rem, 100vw"
      width={front.width}
      height={front.height}
      alt=""
      decoding="async"
      fetchpriority="high"
    />
    {front.title !== '' && <span class="front-caption">{front.title}</span>}
  </RouteLink>
);

/** The head of a folder; that of the start page has a detail of a scan too. */
export const FolderHead = ({ page, onOpenWith }: FolderHeadProps): VNode => (
  <header class={page.path === '' ? 'start-head' : 'folder-head'}>
    {page.front !== null && <Detail front={page.front} />}
    <div class="folder-title wrap">
      <div>
        <Heading page={page} />
        <p class="counts muted">{countsOfPage(page)}</p>
      </div>
      <FolderActions page={page} onOpenWith={onOpenWith} />
    </div>
    <FolderDetails page={page} />
  </header>
);
