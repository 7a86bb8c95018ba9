/** What is said of a folder: its title, summary, metadata and rights, and what can be done with it. */
import { useSignal } from '@preact/signals';
import { LayoutGrid, Share2 } from 'lucide';
import type { VNode } from 'preact';
import type { FolderPage, ShownText } from '../../../../src/image/folder-page.ts';
import { message } from '../../messages/message.ts';
import { Button } from '../button.tsx';
import { Icon } from '../icon.tsx';
import { titleOf } from './breadcrumbs.tsx';
import { countsOfPage } from './counts.ts';
import { tablePlace } from './library-place.ts';
import { PlaceLink } from './place-link.tsx';

/** A value longer than this is folded, in letters. */
const foldedLength = 280;

/** The begin of a long text, up to the end of a word where there are words. */
const begunText = (text: string): string => `${text.slice(0, foldedLength).replace(/\s+\S{0,40}$/, '')} …`;

function Value({ paragraphs }: { readonly paragraphs: readonly string[] }): VNode {
  const open = useSignal(false);
  const text = paragraphs.join('\n');
  const isLong = text.length > foldedLength;
  const shown = isLong && !open.value ? begunText(text) : text;
  return (
    <>
      {shown.split('\n').map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {isLong && (
        <button
          type="button"
          class="fold"
          aria-expanded={open.value}
          onClick={() => {
            open.value = !open.value;
          }}
        >
          {message(open.value ? 'show-less' : 'show-more')}
        </button>
      )}
    </>
  );
}

const Line = ({ line }: { readonly line: ShownText }): VNode => (
  <div>
    <dt>{line.label}</dt>
    <dd>
      <Value paragraphs={line.value} />
    </dd>
  </div>
);

/** Only addresses of the web are links; metadata files are written by many hands. */
const RightsLine = ({ rights }: { readonly rights: string }): VNode => (
  <div>
    <dt>{message('rights')}</dt>
    <dd>
      {/^https?:\/\//.test(rights) ? (
        <a href={rights} rel="license noopener">
          {rights.replace(/^https?:\/\//, '')}
        </a>
      ) : (
        rights
      )}
    </dd>
  </div>
);

interface FolderHeadProps {
  readonly page: FolderPage;
  readonly onOpenWith: () => void;
}

const Actions = ({ page, onOpenWith }: FolderHeadProps): VNode | null =>
  page.totalImages + page.totalFolders === 0 ? null : (
    <div class="folder-actions">
      {page.totalImages > 0 && (
        <PlaceLink class="button" to={tablePlace(page.path)}>
          <Icon of={LayoutGrid} size={16} />
          {message('to-light-table')}
        </PlaceLink>
      )}
      <Button icon={Share2} onClick={onOpenWith}>
        {message('open-with')}
      </Button>
    </div>
  );

/** The title alone, above what was searched for. */
export const FolderTitle = ({ page }: Pick<FolderHeadProps, 'page'>): VNode => (
  <header class="folder-head folder-title">
    <h1 tabIndex={-1}>{titleOf(page)}</h1>
  </header>
);

export const FolderHead = ({ page, onOpenWith }: FolderHeadProps): VNode => (
  <header class="folder-head">
    <div class="folder-title">
      <div>
        <h1 tabIndex={-1}>{titleOf(page)}</h1>
        <p class="counts">{countsOfPage(page)}</p>
      </div>
      <Actions page={page} onOpenWith={onOpenWith} />
    </div>
    {page.summary.length > 0 && (
      <div class="summary">
        <Value paragraphs={page.summary} />
      </div>
    )}
    {(page.metadata.length > 0 || page.rights !== null) && (
      <dl class="metadata">
        {page.metadata.map((line) => (
          <Line key={line.label} line={line} />
        ))}
        {page.rights !== null && <RightsLine rights={page.rights} />}
      </dl>
    )}
  </header>
);
