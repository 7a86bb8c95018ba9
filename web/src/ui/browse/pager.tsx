/** Links to the parts of a long folder. */
import { ChevronLeft, ChevronRight } from 'lucide';
import type { VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { folderRoute, partCount } from '../../model/address/routes.ts';
import { formatCount } from '../common/counts.ts';
import { Icon } from '../common/icon.tsx';
import { RouteLink } from '../common/route-link.tsx';
import { numbersAround } from './page-numbers.ts';

interface PagerProps {
  readonly folder: string;
  readonly from: number;
  /** The number of images or of folders, whichever is larger. */
  readonly total: number;
}

export function Pager({ folder, from, total }: PagerProps): VNode | null {
  const last = Math.ceil(total / partCount);
  if (last < 2) return null;
  const current = Math.min(last, Math.ceil(from / partCount));
  const routeOf = (number: number) => folderRoute(folder, (number - 1) * partCount + 1);
  return (
    <nav class="pager" aria-label={message('pages-of-folder')}>
      {current > 1 && (
        <RouteLink to={routeOf(current - 1)} rel="prev" class="button">
          <Icon of={ChevronLeft} size={16} />
          {message('page-before')}
        </RouteLink>
      )}
      <ol>
        {numbersAround(current, last).map((number, index) => (
          <li key={number ?? `gap-${index}`}>
            {number === undefined ? (
              <span aria-hidden="true">…</span>
            ) : (
              <RouteLink
                to={routeOf(number)}
                aria-label={message('page-number', { number: formatCount(number) })}
                aria-current={number === current ? 'page' : undefined}
              >
                {formatCount(number)}
              </RouteLink>
            )}
          </li>
        ))}
      </ol>
      {current < last && (
        <RouteLink to={routeOf(current + 1)} rel="next" class="button">
          {message('page-after')}
          <Icon of={ChevronRight} size={16} />
        </RouteLink>
      )}
    </nav>
  );
}
