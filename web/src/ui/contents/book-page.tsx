/** The picture of a page of the open book, with a name for it. */
import { ImageOff } from 'lucide';
import type { VNode } from 'preact';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { joinPage } from '../../../../src/core/image/model/identifier.ts';
import { onScreen, pictureAddress } from '../../data/images.ts';
import { countedMessage, message } from '../../messages/messages.ts';
import { imageRoute } from '../../model/address/routes.ts';
import { goToPage, type Opened, type Step } from '../../state/opened.ts';
import { addressOfRoute, onPlainClick } from '../../state/route.ts';
import { hitsByPage } from '../../state/text/book-hits.ts';
import { Icon } from '../common/button.tsx';
import { useBroken } from '../common/picture.tsx';
import { formatCount } from '../common/words.ts';

/** The label of a page; its number inside of a file that has several. */
export function labelOf({ images }: Opened, { at, inner }: Step): string {
  const card = images.cardAt(at);
  return card !== undefined && card.pages > 1 && images.total === 1 ? String(inner) : (card?.label ?? '');
}

const pathOf = ({ images }: Opened, { at, inner }: Step): string | undefined => {
  const card = images.cardAt(at);
  return card && joinPage(card.path, inner);
};

const numberOf = ({ images }: Opened, { at, inner }: Step): number => (images.total === 1 ? inner : at);

const hitsOn = ({ images }: Opened, { at }: Step): number => (images.total === 1 ? 0 : (hitsByPage.value.get(at) ?? 0));

function nameOf(opened: Opened, page: Step): string {
  const name = message('page-named', { at: formatCount(numberOf(opened, page)), label: labelOf(opened, page) });
  const hits = hitsOn(opened, page);
  return hits === 0 ? name : `${name}, ${countedMessage('hit-count', hits)}`;
}

interface BookPageProps {
  readonly opened: Opened;
  readonly page: Step;
  readonly isOpen: boolean;
  /** The size of the picture in CSS pixels. */
  readonly box: Size;
  /** Whether it fills the box. */
  readonly fills?: boolean;
}

/** A link that opens the page as an image to zoom. */
export function BookPage({ opened, page, isOpen, box, fills = false }: BookPageProps): VNode {
  const path = pathOf(opened, page);
  const { isBroken, onError } = useBroken(path);
  const hits = hitsOn(opened, page);
  return (
    <a
      href={path === undefined ? '#' : addressOfRoute(imageRoute(path))}
      aria-current={isOpen ? 'page' : undefined}
      aria-label={nameOf(opened, page)}
      onClick={onPlainClick(() => void goToPage(page, { layout: 'page' }))}
    >
      {path !== undefined && !isBroken && (
        <img
          src={pictureAddress(path, onScreen(box))}
          alt=""
          decoding="async"
          draggable={false}
          onError={onError}
          {...(fills && { width: box.width, height: box.height })}
        />
      )}
      {isBroken && <Icon of={ImageOff} />}
      {hits > 0 && (
        <b class="hit-count through" aria-hidden="true">
          {formatCount(hits)}
        </b>
      )}
    </a>
  );
}
