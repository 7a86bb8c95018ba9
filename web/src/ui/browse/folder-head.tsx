/** The head of a folder: title, summary, metadata, rights and actions. */
import { LayoutGrid, Printer, Share2 } from 'lucide';
import type { VNode } from 'preact';
import { useCallback } from 'preact/hooks';
import type { FolderListing } from '../../../../src/core/image/folder/folder-listing.ts';
import { message } from '../../messages/message.ts';
import { tableRoute } from '../../model/address/routes.ts';
import { BreakableName } from '../common/breakable-name.tsx';
import { Button } from '../common/button.tsx';
import { countsOfPage } from '../common/counts.ts';
import { titleOf } from '../common/folder-title.ts';
import { Icon } from '../common/icon.tsx';
import { hasMetadata, MetadataLines, MetadataValue } from '../common/metadata-lines.tsx';
import { usePrintKey } from '../common/print-key.ts';
import { RouteLink } from '../common/route-link.tsx';
import { TakeLink } from '../common/take-along.tsx';

interface FolderHeadProps {
  readonly page: FolderListing;
  readonly onOpenWith: () => void;
}

export const FolderActions = ({ page, onOpenWith }: FolderHeadProps): VNode | null =>
  page.totalImages + page.totalFolders === 0 ? null : (
    <div class="folder-actions">
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
      {page.totalImages > 0 && <TakeLink form="pdf" folder={page.path} name="PDF" title={message('pdf-all')} />}
    </div>
  );

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
  <header class="folder-head folder-title">
    <Heading page={page} />
  </header>
);

export const FolderCounts = ({ page }: Pick<FolderHeadProps, 'page'>): VNode => (
  <p class="counts">{countsOfPage(page)}</p>
);

/** The summary and the metadata. */
export const FolderDetails = ({ page }: Pick<FolderHeadProps, 'page'>): VNode => (
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

export const FolderHead = ({ page, onOpenWith }: FolderHeadProps): VNode => (
  <header class="folder-head">
    <div class="folder-title">
      <div>
        <Heading page={page} />
        <FolderCounts page={page} />
      </div>
      <FolderActions page={page} onOpenWith={onOpenWith} />
    </div>
    <FolderDetails page={page} />
  </header>
);
