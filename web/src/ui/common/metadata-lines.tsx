/** The metadata and rights of a folder, for a description list. */
import { useSignal } from '@preact/signals';
import { Copyright, CreativeCommons, ExternalLink, type IconNode, Scale, Unlock } from 'lucide';
import type { VNode } from 'preact';
import type { FolderListing, ShownLink, ShownText } from '../../../../src/core/image/folder/folder-listing.ts';
import { message } from '../../messages/message.ts';
import { allowedAddress, beginningOf, linkedPieces, type TextPiece } from '../../model/text/linked-text.ts';
import { type Rights, type RightsKind, rightsAt } from '../../model/text/rights.ts';
import { Icon } from './button.tsx';
import { BreakableName } from './titles.tsx';

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

const Line = ({ line }: { readonly line: ShownText }): VNode => (
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

/** Only some addresses become links, since metadata files may hold anything. */
function RightsLine({ rights }: { readonly rights: string }): VNode {
  const known = rightsAt(rights);
  const href = allowedAddress(rights);
  const text = known === undefined ? rights.replace(/^https?:\/\//, '') : rightsText(known);
  return (
    <div>
      <dt>{message('rights')}</dt>
      <dd>
        {href === undefined ? (
          text
        ) : (
          <a href={href} class="rights" rel="license noopener">
            <Icon of={icons[known?.kind ?? 'other']} size={18} />
            <span>{known === undefined ? <BreakableName name={text} /> : text}</span>
          </a>
        )}
      </dd>
    </div>
  );
}

/** Pages about it elsewhere. */
const HomepageLine = ({ links }: { readonly links: readonly ShownLink[] }): VNode => (
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
        <Line key={index} line={line} />
      ))}
      {page.rights !== null && <RightsLine rights={page.rights} />}
      {links.length > 0 && <HomepageLine links={links} />}
    </>
  );
}
