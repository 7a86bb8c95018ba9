/** The picture of a page or of a detail of it, for lists of the desk. */
import { ImageOff } from 'lucide';
import type { VNode } from 'preact';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { type Operations, onScreen, pictureAddress } from '../../data/images.ts';
import { isForeign } from '../../model/address/address-text.ts';
import { formatRegion } from '../../model/address/view-query.ts';
import type { Rect } from '../../model/view-state.ts';
import { Icon } from '../common/button.tsx';
import { useBroken } from '../common/picture.tsx';

/** The address of a picture of at most this size. */
export const detailAddress = (path: string, region: Rect | null, size: Size, more: Operations = []): string =>
  pictureAddress(path, size, [...more, ...(region === null ? [] : formatRegion(region, 'fit'))]);

interface DetailPictureProps {
  readonly path: string;
  readonly region: Rect | null;
  readonly box: Size;
}

/** Pictures of other hosts are not asked for here: a reader who looks at the desk has not asked them anything. */
export function DetailPicture({ path, region, box }: DetailPictureProps): VNode {
  const { isBroken, onError } = useBroken(path);
  return (
    <span class="mat">
      {isBroken || isForeign(path) ? (
        <Icon of={ImageOff} size={22} />
      ) : (
        <img
          src={detailAddress(path, region, onScreen(box))}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={onError}
        />
      )}
    </span>
  );
}
