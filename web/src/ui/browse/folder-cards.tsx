/** Cards of the subfolders, each with a picture of its content. */
import type { VNode } from 'preact';
import type { FolderCard } from '../../../../src/core/image/folder/folder-listing.ts';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { message } from '../../messages/message.ts';
import { folderRoute } from '../../model/address/routes.ts';
import { BreakableName } from '../common/breakable-name.tsx';
import { countsOfCard } from '../common/counts.ts';
import { Picture } from '../common/picture.tsx';
import { RouteLink } from '../common/route-link.tsx';

/** Cards of few folders are larger. */
const fewUntil = 6;

const boxes = { few: { width: 520, height: 340 }, many: { width: 272, height: 208 } } as const;

interface CardProps {
  readonly card: FolderCard;
  readonly box: Size;
}

const Card = ({ card, box }: CardProps): VNode => (
  <li>
    <RouteLink class="folder-card" to={folderRoute(card.path)}>
      <span class="mat">
        <Picture path={card.cover} box={box} alt="" absent="no-cover" />
      </span>
      <strong>
        <BreakableName name={card.title} />
      </strong>
      {card.summary !== '' && <span class="card-summary">{card.summary}</span>}
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
          <Card key={card.path} card={card} box={boxes[size]} />
        ))}
      </ul>
    </section>
  );
}
