/** The chapters of a folder, with links to their first pages, which open and close. */
import { useSignal } from '@preact/signals';
import { ChevronRight } from 'lucide';
import type { VNode } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import type { ContentsEntry, FolderListing } from '../../../../src/core/image/folder/folder-listing.ts';
import { message } from '../../messages/message.ts';
import { imageRoute } from '../../model/address/routes.ts';
import { shortLabel } from '../../model/text/labels.ts';
import { Icon, RouteLink } from './button.tsx';

/** Number of chapters from which those inside of others are closed at first. */
const closedFrom = 25;

/** Maximum number of characters of the page at which a chapter begins. */
const maxLabel = 14;

const allOf = (contents: readonly ContentsEntry[]): readonly ContentsEntry[] =>
  contents.flatMap((entry) => [entry, ...allOf(entry.contents)]);

/** The innermost chapter that a page is in: the last one that begins at it or before it. */
export function chapterAt(contents: readonly ContentsEntry[], at: number): ContentsEntry | undefined {
  const begun = allOf(contents).filter((entry) => entry.at <= at);
  return begun.reduce<ContentsEntry | undefined>(
    (last, entry) => (last && last.at > entry.at ? last : entry),
    undefined,
  );
}

interface LevelProps {
  readonly contents: readonly ContentsEntry[];
  readonly current: ContentsEntry | undefined;
  /** Whether chapters with others inside are open at first. */
  readonly isOpen: boolean;
}

function Chapter({ entry, current, isOpen }: Omit<LevelProps, 'contents'> & { readonly entry: ContentsEntry }): VNode {
  const hasCurrent = current !== undefined && allOf(entry.contents).includes(current);
  const open = useSignal(isOpen || hasCurrent);
  const inside = useId();
  // The chapter that the reader turns to is visible.
  useEffect(() => {
    if (hasCurrent) open.value = true;
  }, [hasCurrent, current]);
  const { label, page, path, contents } = entry;
  return (
    <li>
      <div class="chapter">
        {contents.length > 0 ? (
          <button
            type="button"
            class="chapter-toggle muted"
            aria-expanded={open.value}
            aria-controls={inside}
            aria-label={message('chapters-inside', { label })}
            onClick={() => {
              open.value = !open.value;
            }}
          >
            <Icon of={ChevronRight} />
          </button>
        ) : null}
        <RouteLink to={imageRoute(path)} aria-current={entry === current ? 'true' : undefined}>
          <span>{label}</span>
          <small title={page}>{shortLabel(page, maxLabel)}</small>
        </RouteLink>
      </div>
      {contents.length > 0 && (
        <div id={inside} hidden={!open.value}>
          {open.value && <Level contents={contents} current={current} isOpen={isOpen} />}
        </div>
      )}
    </li>
  );
}

const Level = ({ contents, ...rest }: LevelProps): VNode => (
  <ol class={contents.some((entry) => entry.contents.length > 0) ? 'chapters nested' : 'chapters'}>
    {contents.map((entry, index) => (
      <Chapter key={index} entry={entry} {...rest} />
    ))}
  </ol>
);

interface ChapterListProps {
  readonly contents: readonly ContentsEntry[];
  readonly current?: ContentsEntry | undefined;
}

export const ChapterList = ({ contents, current }: ChapterListProps): VNode => (
  <Level contents={contents} current={current} isOpen={allOf(contents).length < closedFrom} />
);

export const FolderChapters = ({ page: { contents } }: { readonly page: FolderListing }): VNode | null =>
  contents.length === 0 ? null : (
    <details class="folder-chapters" open={contents.length < closedFrom}>
      <summary>
        <h2>{message('contents')}</h2>
      </summary>
      <nav aria-label={message('contents')}>
        <ChapterList contents={contents} />
      </nav>
    </details>
  );
