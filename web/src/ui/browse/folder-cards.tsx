/** Cards of the subfolders, each with a picture of its content. */
import type { VNode } from 'preact';
import type { FolderCard } from '../../../../src/image/folder/folder-listing.ts';
import { message } from '../../messages/message.ts';
import { folderRoute } from '../../model/routes.ts';
import { countsOfCard } from '../common/counts.ts';
import { Picture } from '../common/picture.tsx';
import { RouteLink } from '../common/route-link.tsx';

const coverBox = { width: 272, height: 208 };

const Card = ({ card }: { readonly card: FolderCard }): VNode => (
  <li>
    <RouteLink class="folder-card" to={folderRoute(card.path)}>
      <span class="mat">
        <Picture path={card.cover} box={coverBox} alt="" absent="no-cover" />
      </span>
      <strong>{card.title}</strong>
      <small>{countsOfCard(card)}</small>
    </RouteLink>
  </li>
);

export const FolderCards = ({ cards }: { readonly cards: readonly FolderCard[] }): VNode => (
  <section aria-label={message('folders')}>
    <ul class="folder-cards">
      {cards.map((card) => (
        <Card key={card.path} card={card} />
      ))}
    </ul>
  </section>
);
