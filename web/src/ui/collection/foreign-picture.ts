/** Pictures of thumbnails of another host, from hosts that the settings allow. */
import { useSignal } from '@preact/signals';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { isAllowedHere, reachable } from '../../data/foreign-hosts.ts';
import { onScreen } from '../../data/images.ts';
import { thumbnailPictures } from '../../model/manifest/foreign-service.ts';
import type { PageImage } from '../../model/manifest/page-image.ts';

/** The attributes of an `img` of about this size in CSS pixels; undefined where no picture can be had, or none has come. */
export function useForeignPicture(image: PageImage | undefined, box: Size) {
  const failed = useSignal(0);
  const src = thumbnailPictures(image, onScreen(box)).filter(isAllowedHere).map(reachable)[failed.value];
  if (src === undefined) return undefined;
  return {
    // Another address is another element, so that what was broken is not seen until it comes.
    key: src,
    src,
    decoding: 'async',
    draggable: false,
    referrerpolicy: 'no-referrer',
    onError: (): void => {
      failed.value += 1;
    },
  } as const;
}
