/** The wide picture at the top of the start page: a detail of a scan, which leads to it. */
import type { VNode } from 'preact';
import type { FrontPicture } from '../../../../src/core/image/folder/folder-listing.ts';
import { pictureAddress } from '../../data/images.ts';
import { message } from '../../messages/messages.ts';
import { viewRoute } from '../../model/address/routes.ts';
import { plainView } from '../../model/view-state.ts';
import { RouteLink } from '../common/button.tsx';

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

export const FrontDetail = ({ front }: { readonly front: FrontPicture }): VNode => (
  <RouteLink
    class="front-picture"
    to={viewRoute({ ...plainView(front.path), region: front.region })}
    aria-label={message('front-picture', { title: front.title || front.path })}
  >
    <img
      src={detailAddress(front, 1280)}
      srcset={widths.map((width) => `${detailAddress(front, width)} ${Math.min(front.width, width)}w`).join(', ')}
      sizes="100vw"
      width={front.width}
      height={front.height}
      alt=""
      decoding="async"
      fetchpriority="high"
    />
    {front.title !== '' && <span class="front-caption">{front.title}</span>}
  </RouteLink>
);
