/** Sound and video of a folder, as cards that lead to their pages. */
import '../../styles/media-list.css';
import { AudioLines, Film } from 'lucide';
import type { VNode } from 'preact';
import type { MediaCard } from '../../../../src/core/image/folder/folder-listing.ts';
import { pictureAddress } from '../../data/images.ts';
import { mediaMessage } from '../../messages/media.ts';
import { imageRoute } from '../../model/address/routes.ts';
import { formatClock } from '../../model/media/time.ts';
import { Icon, RouteLink } from '../common/button.tsx';

const box = { width: 192, height: 192 };

export const MediaList = ({ cards }: { readonly cards: readonly MediaCard[] }): VNode => (
  <section class="media-cards">
    <h2>{mediaMessage('sound-and-video')}</h2>
    <ul class="list">
      {cards.map(({ path, label, kind, duration, image }) => (
        <li key={path}>
          <RouteLink to={imageRoute(path)}>
            {image === null ? (
              <Icon of={kind === 'sound' ? AudioLines : Film} size={40} />
            ) : (
              <img src={pictureAddress(image, box)} alt="" loading="lazy" />
            )}
            <span class="media-card-label">{label}</span>
            <span class="soft tabular">
              {mediaMessage(kind)}
              {duration !== null && ` · ${formatClock(duration)}`}
            </span>
          </RouteLink>
        </li>
      ))}
    </ul>
  </section>
);
