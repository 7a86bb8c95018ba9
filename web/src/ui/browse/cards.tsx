/** Cards of the subfolders and images of a folder, with pictures. */
import { Columns2, EllipsisVertical } from 'lucide';
import type { VNode } from 'preact';
import type { FolderCard, ImageCard, ReadingDirection } from '../../../../src/core/image/folder/folder-listing.ts';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { pixelsOf } from '../../data/images.ts';
import { message } from '../../messages/messages.ts';
import { compareViewsRoute, folderRoute, imageRoute } from '../../model/address/routes.ts';
import { plainView } from '../../model/view-state.ts';
import { Icon, IconButton, RouteLink } from '../common/button.tsx';
import { BreakableName, Picture } from '../common/picture.tsx';
import { countsOfCard, formatCount } from '../common/words.ts';

const box = { width: 176, height: 216 };

/** An image that is alone in its folder is what the folder shows. */
const aloneBox = { width: 1000, height: 760 };

function factsOf({ width, height, pages }: ImageCard): string {
  if (width === null || height === null) return message('unreadable');
  const size = message('pixel-size', { width: formatCount(width), height: formatCount(height) });
  return pages > 1 ? `${size} · ${message('page-count', { count: formatCount(pages) })}` : size;
}

interface ImageCardsProps {
  readonly cards: readonly ImageCard[];
  readonly direction: ReadingDirection;
  /** Whether the folder holds nothing else. */
  readonly isAlone: boolean;
  readonly onOpenWith: (card: ImageCard) => void;
}

interface ImageCardProps extends Pick<ImageCardsProps, 'onOpenWith'> {
  readonly card: ImageCard;
  readonly box: Size;
}

const ImageCardItem = ({ card, box: shownIn, onOpenWith }: ImageCardProps): VNode => (
  <li class="image-card" data-path={card.path}>
    <RouteLink to={imageRoute(card.path)}>
      <span class="mat">
        <Picture
          path={card.width === null ? null : card.path}
          image={pixelsOf(card)}
          box={shownIn}
          alt={card.label}
          absent="unreadable"
        />
      </span>
    </RouteLink>
    <p>
      <span class="clamp" title={card.name}>
        <BreakableName name={card.label} />
      </span>
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

export function ImageCards({ cards, direction, isAlone, onOpenWith }: ImageCardsProps): VNode {
  const order = direction === 'right-to-left' ? 'from-right' : '';
  return (
    <section aria-label={message('images')}>
      <ul class={`image-cards ${isAlone ? 'alone' : order}`}>
        {cards.map((card) => (
          <ImageCardItem key={card.path} card={card} box={isAlone ? aloneBox : box} onOpenWith={onOpenWith} />
        ))}
      </ul>
    </section>
  );
}

/** Cards of few folders are larger. */
const fewUntil = 6;

const boxes = { few: { width: 520, height: 340 }, many: { width: 272, height: 208 } } as const;

interface FolderCardProps {
  readonly card: FolderCard;
  readonly box: Size;
}

const FolderCardItem = ({ card, box }: FolderCardProps): VNode => (
  <li>
    <RouteLink class="folder-card" to={folderRoute(card.path)}>
      <span class="mat">
        <Picture path={card.cover} box={box} alt="" absent="no-cover" />
      </span>
      <strong class="clamp of-three">
        <BreakableName name={card.title} />
      </strong>
      {card.summary !== '' && <span class="card-summary clamp">{card.summary}</span>}
      <small>{countsOfCard(card)}</small>
    </RouteLink>
  </li>
);

export function FolderCards({ cards }: { readonly cards: readonly FolderCard[] }): VNode {
  const size = cards.length <= fewUntil ? 'few' : 'many';
  return (
    <section aria-label={message('folders')}>
      <ul class={`folder-cards ${size}`}>
        {cards.map((card) => (
          <FolderCardItem key={card.path} card={card} box={boxes[size]} />
        ))}
      </ul>
    </section>
  );
}
