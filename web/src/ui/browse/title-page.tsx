/** The title page of a book: its cover, and who made it, where and when, from its metadata. */
import type { VNode } from 'preact';
import { citationFieldsOf } from '../../../../src/core/image/folder/citation-fields.ts';
import type { FolderListing, ImageCard } from '../../../../src/core/image/folder/folder-listing.ts';
import { plainText } from '../../../../src/core/image/folder/page-labels.ts';
import { pixelsOf } from '../../data/images.ts';
import { message } from '../../messages/messages.ts';
import { imageRoute } from '../../model/address/routes.ts';
import { linkedPieces } from '../../model/text/metadata-text.ts';
import { RouteLink } from '../common/button.tsx';
import { Picture } from '../common/picture.tsx';

const box = { width: 420, height: 560 };

export const Cover = ({ card }: { readonly card: ImageCard }): VNode => (
  <RouteLink class="cover-link" to={imageRoute(card.path)} aria-label={message('cover')}>
    <Picture path={card.path} image={pixelsOf(card)} box={box} alt="" absent="no-cover" />
  </RouteLink>
);

/** A value without its markup. */
const wordsOf = (text: string): string =>
  linkedPieces(text)
    .map((piece) => piece.text)
    .join('');

/** Nothing where the metadata names none of it. */
export function TitleLines({ page }: { readonly page: FolderListing }): VNode | null {
  const metadata = page.metadata.map(({ label, value }) => ({
    label: plainText(label),
    value: { none: value.map(wordsOf) },
  }));
  const { authors, place, publisher, date, callNumber } = citationFieldsOf({ metadata }, []);
  const lines = [
    ['author', authors.join(', ')],
    ['imprint', [place, publisher, date].filter((part) => part !== '').join(', ')],
    ['shelfmark', callNumber],
  ].filter(([, text]) => text !== '');
  if (lines.length === 0) return null;
  return (
    <div class="title-lines">
      {lines.map(([name, text]) => (
        <p key={name} class={`title-${name}`}>
          {name === 'shelfmark' && <span class="muted">{message('shelfmark')} </span>}
          {text}
        </p>
      ))}
    </div>
  );
}
