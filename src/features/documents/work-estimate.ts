/** About how much processor time the pictures of some pages take, before any of them is made. */
import { ImageError } from '../../core/image/model/errors.ts';
import type { ImageRequest } from '../../core/image/model/image-request.ts';
import type { Admitted, ImageSet } from '../../core/image/model/image-set.ts';
import { costOf } from '../../core/image/plan/cost.ts';
import { type PagePictureParts, type PictureSize, requestFor, storedFileOf } from './page-image.ts';

/** Pages whose pictures are planned: pages of a book are alike, and to plan thousands takes too long. */
const maxPlanned = 16;

/** What is read and written of any page takes about as long, in ms. */
export const pageMs = 5;

function renderingMs(
  request: ImageRequest,
  image: Admitted<ImageSet>,
  { images }: Pick<PagePictureParts, 'images'>,
): number {
  try {
    const { plan } = images.answer(request, image);
    return plan.kind === 'render' ? costOf(plan).ms : 0;
  } catch (error) {
    if (error instanceof ImageError) return 0;
    throw error;
  }
}

/** In ms on one core, of pictures that are not cached. */
export function workOf(
  pages: readonly { readonly image: Admitted<ImageSet> }[],
  size: PictureSize,
  parts: Pick<PagePictureParts, 'images'>,
): number {
  const step = Math.max(1, Math.floor(pages.length / maxPlanned));
  const planned = pages.filter((_, index) => index % step === 0).slice(0, maxPlanned);
  const ms = planned.map(({ image }) =>
    storedFileOf(image, size, parts.images) === undefined ? renderingMs(requestFor(image, size), image, parts) : 0,
  );
  const sum = ms.reduce((total, one) => total + one, 0);
  return pages.length * (pageMs + sum / Math.max(1, planned.length));
}
