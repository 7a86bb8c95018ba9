/** Cards of the images of a folder, with thumbnails. */
import { Columns2, EllipsisVertical } from 'lucide';
import type { VNode } from 'preact';
import type { ImageCard, ReadingDirection } from '../../../../src/image/folder/folder-listing.ts';
import { pixelsOf } from '../../data/picture.ts';
import { message } from '../../messages/message.ts';
import { compareViewsRoute, imageRoute } from '../../model/routes.ts';
import { plainView } from '../../model/view-state.ts';
import { IconButton } from '../common/button.tsx';
import { formatCount } from '../common/counts.ts';
import { Icon } from '../common/icon.tsx';
import { Picture } from '../common/picture.tsx';
import { RouteLink } from '../common/route-link.tsx';

const box = { width: 176, height: 216 };

function factsOf({ width, height, pages }: ImageCard): string {
  if (width === null || height === null) return message('unreadable');
  const size = message('pixel-size', { width: formatCount(width), height: formatCount(height) });
  return pages > 1 ? `${size} · ${message('page-count', { count: formatCount(pages) })}` : size;
}

interface ImageCardsProps {
  readonly cards: readonly ImageCard[];
  readonly direction: ReadingDirection;
  readonly onOpenWith: (card: ImageCard) => void;
}

interface CardProps extends Pick<ImageCardsProps, 'onOpenWith'> {
  readonly card: ImageCard;
}

const Card = ({ card, onOpenWith }: CardProps): VNode => (
  <li class="image-card" data-path={card.path}>
    <RouteLink to={imageRoute(card.path)}>
      <span class="mat">
        <Picture
          path={card.width === null ? null : card.path}
          image={pixelsOf(card)}
          box={box}
          alt={card.label}
          absent="unreadable"
        />
      </span>
    </RouteLink>
    <p>
      <span title={card.name}>{card.label}</span>
      <small>{factsOf(card)}</small>
    </p>
    {card.width !== null && (
      <RouteLink
        class="icon-button"
        to={compareViewsRoute([plainView(card.path)])}
        aria-label={message('compare-beside-of', { label: card.label })}
        title={message('compare-beside-of', { label: card.label })}
      >
        <Icon of={Columns2} size={18} />
      </RouteLink>
    )}
    <IconButton
      icon={EllipsisVertical}
      name={message('open-image-with', { label: card.label })}
      onClick={() => onOpenWith(card)}
    />
  </li>
);

export const ImageCards = ({ cards, direction, onOpenWith }: ImageCardsProps): VNode => (
  <section aria-label={message('images')}>
    <ul class={direction === 'right-to-left' ? 'image-cards from-right' : 'image-cards'}>
      {cards.map((card) => (
        <Card key={card.path} card={card} onOpenWith={onOpenWith} />
      ))}
    </ul>
  </section>
);
