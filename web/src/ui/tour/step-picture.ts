/** The address of a picture of a step: rendered by the server, or by the image service of another host that is open. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import type { TourStep } from '../../../../src/core/image/tour/tour.ts';
import { foreignImage, onScreen, pictureAddress } from '../../data/images.ts';
import { isForeign } from '../../model/address/address-text.ts';
import { formatColor, formatRegion, formatRotation, mirrorEntries } from '../../model/address/view-query.ts';
import { stepView } from '../../model/tour/step-view.ts';
import { clipToImage } from '../../model/view/framing.ts';

/** Undefined where none can be had: hosts whose manifest is not open are not asked. */
export function stepPicture(step: TourStep, box: Size): string | undefined {
  const { fn, region, rotation, mirror, mode, color } = stepView(step);
  if (isForeign(fn)) return foreignImage(fn)?.thumbnail(onScreen(box));
  const entries = mirrorEntries(mirror);
  return pictureAddress(fn, onScreen(box), [
    ...(mode === 'fit' ? formatRegion(clipToImage(region), 'fit') : []),
    ...formatRotation(rotation),
    ...(entries.length === 0 ? [] : [['mo', entries.join(',')] as const]),
    ...formatColor(color),
  ]);
}
