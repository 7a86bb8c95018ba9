/** The head of the start page: the library's name, a detail of a scan, and a summary. */
import type { VNode } from 'preact';
import type { FolderListing, FrontPicture } from '../../../../src/core/image/folder/folder-listing.ts';
import { pictureAddress } from '../../data/images.ts';
import { message } from '../../messages/message.ts';
import { viewRoute } from '../../model/address/routes.ts';
import { plainView } from '../../model/view-state.ts';
import { titleOf } from '../common/folder-title.ts';
import { RouteLink } from '../common/route-link.tsx';
import { FolderActions, FolderCounts, FolderDetails } from './folder-head.tsx';

/** Widths of the picture in pixels, of which the browser takes the smallest that is sharp. */
const widths = [640, 1280, 1920, 2560];

/** The detail in a width, not enlarged. */
function detailAddress({ path, region, width, height }: FrontPicture, wished: number): string {
  const shown = Math.min(width, wished);
  const size = { width: shown, height: Math.max(1, Math.round((shown * height) / width)) };
  return pictureAddress(
    path,
    size,
    [
      ['wx', region.x],
      ['wy', region.y],
      ['ww', region.width],
      ['wh', region.height],
    ].map(([name, value]) => [String(name), String(value)] as const),
  );
}

const Detail = ({ front }: { readonly front: FrontPicture }): VNode => (
  <RouteLink
    class="front-picture"
    to={viewRoute({ ...plainView(front.path), region: front.region })}
    aria-label={message('front-picture', { title: front.title || front.path })}
  >
    <img
      src={detailAddress(front, 1280)}
      srcset={widths.map((width) => `${detailAddress(front, width)} ${Math.min(front.width, width)}w`).join(', ')}
      sizes="(min-width: 84rem) 84rem, 100vw"
      width={front.width}
      height={front.height}
      alt=""
      decoding="async"
      fetchpriority="high"
    />
    {front.title !== '' && <span class="front-caption">{front.title}</span>}
  </RouteLink>
);

interface StartHeadProps {
  readonly page: FolderListing;
  readonly onOpenWith: () => void;
}

export const StartHead = ({ page, onOpenWith }: StartHeadProps): VNode => (
  <header class="start-head">
    {page.front !== null && <Detail front={page.front} />}
    <div class="folder-title">
      <div>
        <h1 tabIndex={-1}>{titleOf(page)}</h1>
        <FolderCounts page={page} />
      </div>
      <FolderActions page={page} onOpenWith={onOpenWith} />
    </div>
    <FolderDetails page={page} />
  </header>
);
