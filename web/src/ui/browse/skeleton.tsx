/** The placeholder of a folder that is loading. */
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';

/** Enough to fill a window. */
const cards = Array.from({ length: 12 }, (_, index) => index);

export const FolderSkeleton = (): VNode => (
  <div class="skeleton">
    <p class="off-screen" role="status">
      {message('loading')}
    </p>
    <div class="skeleton-title" aria-hidden="true" />
    <ul class="image-cards" aria-hidden="true">
      {cards.map((card) => (
        <li key={card} class="image-card">
          <span class="mat" />
        </li>
      ))}
    </ul>
  </div>
);
