/** The metadata, rights and chapters of a folder. */
import { useSignal } from '@preact/signals';
import { ChevronRight, Copyright, CreativeCommons, ExternalLink, type IconNode, Scale, Unlock } from 'lucide';
import type { VNode } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import type {
  ContentsEntry,
  FolderListing,
  ShownLink,
  ShownText,
} from '../../../../src/core/image/folder/folder-listing.ts';
import { message } from '../../messages/messages.ts';
import { imageRoute, type ViewRoute, viewRoute } from '../../model/address/routes.ts';
import {
  allowedAddress,
  beginningOf,
  linkedPieces,
  type Rights,
  type RightsKind,
  rightsAt,
  shortLabel,
  type TextPiece,
} from '../../model/text/metadata-text.ts';
import { plainView } from '../../model/view-state.ts';
import { addressOfRoute, followLink, onPlainClick } from '../../state/route.ts';
import { Icon } from './button.tsx';
import { BreakableName } from './picture.tsx';

/** Length in characters from which a value is shortened. */
const foldedLength = 280;

const pieceNode = ({ text, href }: TextPiece, key: number): VNode | string =>
  href === undefined ? (
    text
  ) : (
    <a key={key} href={href} rel="noopener">
      <BreakableName name={text} />
    </a>
  );

/** The pieces of each line, since texts in HTML may have several. */
function linesOf(pieces: readonly TextPiece[]): readonly (readonly TextPiece[])[] {
  const lines: TextPiece[][] = [[]];
  for (const piece of pieces) {
    for (const [index, text] of piece.text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (text !== '') lines.at(-1)?.push({ ...piece, text });
    }
  }
  return lines.filter((line) => line.length > 0);
}

/** The paragraphs of a text with its links; a long one is shortened at first. */
export function MetadataValue({ paragraphs }: { readonly paragraphs: readonly string[] }): VNode {
  const open = useSignal(false);
  const pieces = paragraphs.flatMap((text, index) => [...(index > 0 ? [{ text: '\n' }] : []), ...linkedPieces(text)]);
  const beginning = beginningOf(pieces, foldedLength);
  const shown = beginning !== undefined && !open.value ? beginning : pieces;
  return (
    <>
      {linesOf(shown).map((line, index) => (
        <p key={index}>{line.map(pieceNode)}</p>
      ))}
      {beginning !== undefined && (
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

export const MetadataLine = ({ line }: { readonly line: ShownText }): VNode => (
  <div>
    <dt>{line.label}</dt>
    <dd>
      <MetadataValue paragraphs={line.value} />
    </dd>
  </div>
);

const icons: Readonly<Record<RightsKind, IconNode>> = {
  license: CreativeCommons,
  'public-domain': Unlock,
  copyright: Copyright,
  other: Scale,
};

/** The statement in words; the address of one that is not known. */
function rightsText({ name, words }: Rights): string {
  const text = words.map((word) => message(`rights-${word}`)).join(', ');
  return name === '' ? text : `${name} · ${text}`;
}

/**
 * Only some addresses become links, since metadata files may hold anything. `short` is a name in place of the words; `opensTab` leaves
 * the page as it is.
 */
export function RightsLink({
  rights,
  short,
  opensTab = false,
}: {
  readonly rights: string;
  readonly short?: string | undefined;
  readonly opensTab?: boolean;
}): VNode {
  const known = rightsAt(rights);
  const href = allowedAddress(rights);
  const text = short ?? (known === undefined ? rights.replace(/^https?:\/\//, '') : rightsText(known));
  if (href === undefined) return <span>{text}</span>;
  return (
    <a href={href} class="rights" rel="license noopener" target={opensTab ? '_blank' : undefined}>
      <Icon of={icons[known?.kind ?? 'other']} size={18} />
      <span>{known === undefined ? <BreakableName name={text} /> : text}</span>
    </a>
  );
}

const RightsLine = ({ rights }: { readonly rights: string }): VNode => (
  <div>
    <dt>{message('rights')}</dt>
    <dd>
      <RightsLink rights={rights} />
    </dd>
  </div>
);

export const PageLinks = ({ links }: { readonly links: readonly ShownLink[] }): VNode => (
  <div>
    <dt>{message('homepage')}</dt>
    <dd>
      {links.map(({ address, label }) => (
        <p key={address}>
          <a href={address} class="homepage" rel="noopener">
            <BreakableName name={label} />
            <Icon of={ExternalLink} size={14} />
          </a>
        </p>
      ))}
    </dd>
  </div>
);

export const hasMetadata = ({ metadata, rights, homepage }: FolderListing): boolean =>
  metadata.length + homepage.length > 0 || rights !== null;

export function MetadataLines({ page }: { readonly page: FolderListing }): VNode {
  const links = page.homepage.filter(({ address }) => allowedAddress(address) !== undefined);
  return (
    <>
      {page.metadata.map((line, index) => (
        <MetadataLine key={index} line={line} />
      ))}
      {page.rights !== null && <RightsLine rights={page.rights} />}
      {links.length > 0 && <PageLinks links={links} />}
    </>
  );
}

/** Number of chapters from which those inside of others are closed at first. */
const closedFrom = 25;

/** Maximum number of characters of the page at which a chapter begins. */
const maxLabel = 14;

const allOf = (contents: readonly ContentsEntry[]): readonly ContentsEntry[] =>
  contents.flatMap((entry) => [entry, ...allOf(entry.contents)]);

/** The page at which a chapter begins, or the part of it that is the chapter. */
const chapterRoute = ({ path, region }: ContentsEntry): ViewRoute =>
  region === undefined ? imageRoute(path) : viewRoute({ ...plainView(path), region });

interface ChapterLinkProps {
  readonly entry: ContentsEntry;
  readonly isCurrent: boolean;
  readonly onOpen?: ((entry: ContentsEntry) => void) | undefined;
}

interface LevelProps {
  readonly contents: readonly ContentsEntry[];
  readonly current: ContentsEntry | undefined;
  /** Whether chapters with others inside are open at first. */
  readonly isOpen: boolean;
  /** What a click does in place of the link, where the viewer has another way to go there. */
  readonly onOpen?: ((entry: ContentsEntry) => void) | undefined;
}

/** A link to a chapter, with its page. */
export function ChapterLink({ entry, isCurrent, onOpen }: ChapterLinkProps): VNode {
  const { label, page } = entry;
  const to = chapterRoute(entry);
  const short = shortLabel(page, maxLabel);
  return (
    <a
      href={addressOfRoute(to)}
      onClick={onOpen ? onPlainClick(() => onOpen(entry)) : followLink(to)}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <span>{label}</span>
      <small title={page} aria-hidden={short === page ? undefined : true}>
        {short}
      </small>
      {short !== page && <small class="off-screen">{page}</small>}
    </a>
  );
}

interface ChapterProps extends Omit<LevelProps, 'contents'> {
  readonly entry: ContentsEntry;
}

function Chapter({ entry, current, isOpen, onOpen }: ChapterProps): VNode {
  const hasCurrent = current !== undefined && allOf(entry.contents).includes(current);
  const open = useSignal(isOpen || hasCurrent);
  const inside = useId();
  // The chapter that the reader turns to is visible.
  useEffect(() => {
    if (hasCurrent) open.value = true;
  }, [hasCurrent, current]);
  const { label, contents } = entry;
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
        <ChapterLink entry={entry} isCurrent={entry === current} onOpen={onOpen} />
      </div>
      {contents.length > 0 && (
        <div id={inside} hidden={!open.value}>
          {open.value && <Level contents={contents} current={current} isOpen={isOpen} onOpen={onOpen} />}
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
  readonly onOpen?: LevelProps['onOpen'];
}

/** The chapters of a folder, with links to their first pages, which open and close. */
export const ChapterList = ({ contents, current, onOpen }: ChapterListProps): VNode => (
  <Level contents={contents} current={current} isOpen={allOf(contents).length < closedFrom} onOpen={onOpen} />
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
