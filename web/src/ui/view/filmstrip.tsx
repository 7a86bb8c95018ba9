/** Thumbnails of the folder in a row, of which only those in sight are in the page. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ImageCard } from '../../../../src/image/folder/folder-listing.ts';
import { stemOf } from '../../../../src/image/model/formats.ts';
import { onScreen, pictureAddress } from '../../data/picture.ts';
import { message } from '../../messages/message.ts';
import { imageRoute } from '../../model/routes.ts';
import type { Opened } from '../../state/opened.ts';
import { shownPages } from '../../state/page-labels.ts';
import { goToPage } from '../../state/paging.ts';
import { addressOfRoute, isForBrowser } from '../../state/route.ts';
import { readingDirection } from '../../state/two-pages.ts';
import { moveByArrows, useOneStop } from '../common/roving-focus.ts';

/** CSS pixels that a thumbnail takes with the gap beside it; the style sheet says the same. */
const pitch = 92;

/** The room of a thumbnail in CSS pixels. */
export const thumbnailBox = { width: 76, height: 72 };

/** How many more are drawn on each side of what is in sight. */
const margin = 6;

/** As many letters stand below a thumbnail. */
const shortLabel = 7;

/** What stands below a thumbnail: what metadata calls the page where that is short, else its place. */
export const captionOf = ({ label, name }: Pick<ImageCard, 'label' | 'name'>, at: number): string =>
  label === '' || label === name || label === stemOf(name) || label.length > shortLabel ? String(at) : label;

interface ThumbnailProps {
  readonly card: ImageCard | undefined;
  readonly at: number;
  readonly current: boolean;
  readonly left: number;
}

function Thumbnail({ card, at, current, left }: ThumbnailProps): VNode {
  const go = (event: MouseEvent): void => {
    if (isForBrowser(event)) return;
    event.preventDefault();
    void goToPage({ at, inner: 1 });
  };
  return (
    <li style={{ left: `${left}px` }}>
      <a
        href={card ? addressOfRoute(imageRoute(card.path)) : '#'}
        aria-current={current ? 'page' : undefined}
        aria-label={message('page-named', { at, label: card?.label ?? '' })}
        title={card?.label ?? ''}
        onClick={go}
      >
        {card && <img src={pictureAddress(card.path, onScreen(thumbnailBox))} alt="" loading="lazy" decoding="async" />}
        <span>{card ? captionOf(card, at) : at}</span>
      </a>
    </li>
  );
}

export function Filmstrip({ opened }: { readonly opened: Opened }): VNode {
  const element = useRef<HTMLElement>(null);
  useOneStop(element);
  const scrolled = useSignal(0);
  const wide = useSignal(0);
  const { images, at } = opened;
  const shown = shownPages(opened);
  const rightToLeft = readingDirection.value === 'right-to-left';
  const leftOf = (place: number): number => (rightToLeft ? images.total - place : place - 1) * pitch;

  useEffect(() => {
    const strip = element.current;
    if (strip === null) return undefined;
    const observer = new ResizeObserver(() => {
      wide.value = strip.clientWidth;
    });
    observer.observe(strip);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const strip = element.current;
    if (strip === null) return;
    strip.scrollLeft = leftOf(at) - strip.clientWidth / 2 + pitch / 2;
    scrolled.value = strip.scrollLeft;
  }, [at, images, wide.value > 0, rightToLeft]);

  const first = Math.max(0, Math.floor(scrolled.value / pitch) - margin);
  const last = Math.min(images.total - 1, Math.ceil((scrolled.value + wide.value) / pitch) + margin);
  const indices = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  const places = indices.map((index) => (rightToLeft ? images.total - index : index + 1));

  useEffect(() => {
    // Not for each of the many places that a quick scroll passes.
    const timer = setTimeout(() => images.need(places), 80);
    return () => clearTimeout(timer);
  }, [images, first, last]);

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
        {places.map((place) => (
          <Thumbnail
            key={place}
            at={place}
            card={images.cardAt(place)}
            current={shown.includes(place)}
            left={leftOf(place)}
          />
        ))}
      </ol>
    </nav>
  );
}
