/** The chapters of a folder, with links to their first pages. */
import '../../styles/chapters.css';
import type { VNode } from 'preact';
import type { ContentsEntry, FolderListing } from '../../../../src/image/folder/folder-listing.ts';
import { message } from '../../messages/message.ts';
import { imageRoute } from '../../model/routes.ts';
import { RouteLink } from './route-link.tsx';

/** Number of chapters from which the list is collapsed at first. */
const collapsedFrom = 13;

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

interface ChapterListProps {
  readonly contents: readonly ContentsEntry[];
  readonly current?: ContentsEntry | undefined;
}

export const ChapterList = ({ contents, current }: ChapterListProps): VNode => (
  <ol class="chapters">
    {contents.map((entry, index) => (
      <li key={index}>
        <RouteLink to={imageRoute(entry.path)} aria-current={entry === current ? 'true' : undefined}>
          <span>{entry.label}</span>
          <small>{entry.at}</small>
        </RouteLink>
        {entry.contents.length > 0 && <ChapterList contents={entry.contents} current={current} />}
      </li>
    ))}
  </ol>
);

export const FolderChapters = ({ page: { contents } }: { readonly page: FolderListing }): VNode | null =>
  contents.length === 0 ? null : (
    <details class="folder-chapters" open={allOf(contents).length < collapsedFrom}>
      <summary>
        <h2>{message('contents')}</h2>
      </summary>
      <nav aria-label={message('contents')}>
        <ChapterList contents={contents} />
      </nav>
    </details>
  );
