/** The chapters of a folder as links to the pages at which they begin. */
import '../../styles/chapters.css';
import type { VNode } from 'preact';
import type { ContentsEntry, FolderListing } from '../../../../src/image/folder/folder-listing.ts';
import { message } from '../../messages/message.ts';
import { imageRoute } from '../../model/routes.ts';
import { RouteLink } from './route-link.tsx';

/** A longer list is folded at first. */
const foldedFrom = 13;

const allOf = (contents: readonly ContentsEntry[]): readonly ContentsEntry[] =>
  contents.flatMap((entry) => [entry, ...allOf(entry.contents)]);

/** The chapter that a page is in: the last one that begins there or before it, the innermost of several. */
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
    <details class="folder-chapters" open={allOf(contents).length < foldedFrom}>
      <summary>
        <h2>{message('contents')}</h2>
      </summary>
      <nav aria-label={message('contents')}>
        <ChapterList contents={contents} />
      </nav>
    </details>
  );
