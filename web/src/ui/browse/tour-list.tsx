/** Guided views beside the scans of a folder, as links that play them. */
import { Route } from 'lucide';
import type { VNode } from 'preact';
import type { TourListed } from '../../../../src/core/image/folder/folder-listing.ts';
import { message } from '../../messages/messages.ts';
import { viewRoute } from '../../model/address/routes.ts';
import { stepView } from '../../model/tour/step-view.ts';
import { Icon, RouteLink } from '../common/button.tsx';

export const TourList = ({ tours }: { readonly tours: readonly TourListed[] }): VNode => (
  <section class="folder-tours">
    <h2>{message('panel-tour')}</h2>
    <ul class="list">
      {tours.map((tour) => (
        <li key={tour.path}>
          <RouteLink to={viewRoute(stepView(tour, { source: tour.path, step: 1 }))}>
            <Icon of={Route} size={22} />
            <strong>{tour.title}</strong>
            {tour.summary !== '' && <span class="soft">{tour.summary}</span>}
          </RouteLink>
        </li>
      ))}
    </ul>
  </section>
);
