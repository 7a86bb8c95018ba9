/** A row of the folder's thumbnails, of which only the visible ones are rendered. */

import { useSignal } from '@preact/signals';
import { ImageOff } from 'lucide';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ImageCard } from '../../../../src/core/image/folder/folder-listing.ts';
import { onScreen, pictureAddress } from '../../data/images.ts';
import { countedMessage, message } from '../../messages/messages.ts';
import { imageRoute } from '../../model/address/routes.ts';
import { shortLabel } from '../../model/text/metadata-text.ts';
import type { Side } from '../../model/view/page-order.ts';
import { goToPage, type Opened } from '../../state/opened.ts';
import { readingDirection, sideInOpening, visiblePages } from '../../state/pages.ts';
import { addressOfRoute, onPlainClick } from '../../state/route.ts';
import { hitsByPage } from '../../state/text/book-hits.ts';
import { Icon } from '../common/button.tsx';
import { moveByArrows, useAfterPause, useOneStop, useSize } from '../common/elements.ts';
import { formatCount } from '../common/words.ts';

/** Width of a thumbnail with its gap in CSS pixels; the style sheet has the same. */
const pitch = 92;

/** Maximum size of a thumbnail in CSS pixels. */
export const thumbnailBox = { width: 76, height: 72 };

/** Number of thumbnails that are rendered beyond each side. */
const margin = 6;

/** Maximum number of characters below a thumbnail. */
const maxLabel = 12;

/** What tells a label apart. One that is shortened only at its end is cut by the style, so that its words remain whole for voice control. */
function seenLabel(label: string): string {
  const short = shortLabel(label, maxLabel);
  return label.startsWith(short.slice(0, -1)) ? label : short;
}

interface ThumbnailProps {
  readonly card: ImageCard | undefined;
  readonly at: number;
  readonly current: boolean;
  readonly left: number;
  readonly side: Side | undefined;
  /** How many places were found on the page; 0 without a search. */
  readonly hits: number;
}

function ThumbnailPicture({ path }: { readonly path: string }): VNode {
  const broken = useSignal<string | undefined>(undefined);
  if (broken.value === path) return <Icon of={ImageOff} />;
  const fail = (): void => {
    broken.value = path;
  };
  const address = pictureAddress(path, onScreen(thumbnailBox));
  return <img src={address} alt="" loading="lazy" decoding="async" onError={fail} />;
}

function nameOf(at: number, label: string, hits: number): string {
  const name = message('page-named', { at, label });
  if (hits === 0) return name;
  return `${name}, ${countedMessage('hit-count', hits)}`;
}

const Thumbnail = ({ card, at, current, left, side, hits }: ThumbnailProps): VNode => (
  <li class={side === undefined ? undefined : `in-opening ${side}`} style={{ left: `${left}px` }}>
    <a
      href={card ? addressOfRoute(imageRoute(card.path)) : '#'}
      aria-current={current ? 'page' : undefined}
      aria-label={nameOf(at, card?.label ?? '', hits)}
      title={card?.label ?? ''}
      onClick={onPlainClick(() => void goToPage({ at, inner: 1 }))}
    >
      {card && <ThumbnailPicture path={card.path} />}
      <span class="clip">{seenLabel(card?.label ?? '')}</span>
    </a>
    {hits > 0 && (
      <b class="hit-count through" aria-hidden="true">
        {formatCount(hits)}
      </b>
    )}
  </li>
);

export function Filmstrip({ opened }: { readonly opened: Opened }): VNode {
  const element = useRef<HTMLElement>(null);
  useOneStop(element);
  const scrolled = useSignal(0);
  const { width } = useSize(element).value;
  const { images, at } = opened;
  const shown = visiblePages(opened);
  const rightToLeft = readingDirection.value === 'right-to-left';
  const leftOf = (position: number): number => (rightToLeft ? images.total - position : position - 1) * pitch;

  useLayoutEffect(() => {
    const strip = element.current;
    if (strip === null) return;
    strip.scrollLeft = leftOf(at) - strip.clientWidth / 2 + pitch / 2;
    scrolled.value = strip.scrollLeft;
  }, [at, images, width > 0, rightToLeft]);

  const first = Math.max(0, Math.floor(scrolled.value / pitch) - margin);
  const last = Math.min(images.total - 1, Math.ceil((scrolled.value + width) / pitch) + margin);
  const indices = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  const positions = indices.map((index) => (rightToLeft ? images.total - index : index + 1));

  // Delayed, since quick scrolling passes many positions.
  useAfterPause(() => images.need(positions), 80, [images, first, last]);

  return (
    <nav
      class="filmstrip"
      aria-label={message('thumbnails')}
      ref={element}
      onKeyDown={moveByArrows}
      onScroll={(event) => {
        scrolled.value = event.currentTarget.scrollLeft;
      }}
    >
      <ol style={{ width: `${images.total * pitch}px` }}>
        {positions.map((position) => (
          <Thumbnail
            key={position}
            at={position}
            card={images.cardAt(position)}
            current={shown.includes(position)}
            left={leftOf(position)}
            side={sideInOpening(opened, position)}
            hits={hitsByPage.value.get(position) ?? 0}
          />
        ))}
      </ol>
    </nav>
  );
}
