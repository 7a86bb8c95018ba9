/** The pictures of an image on the light table: all that is shown of it, and sharper the part that is in the window. */
import { ImageOff } from 'lucide';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { pictureAddress } from '../../data/images.ts';
import { isForeign } from '../../model/address/address-text.ts';
import { formatRegion } from '../../model/address/view-query.ts';
import { detailPicture, type WantedPicture, wholePicture } from '../../model/light-table/pictures.ts';
import { pointInside, type TableImage } from '../../model/light-table/table.ts';
import { boxAround } from '../../model/view/geometry.ts';
import { type Rect, wholeImage } from '../../model/view-state.ts';
import type { Camera } from '../../state/light-table/table.ts';
import { Icon } from '../common/button.tsx';
import { useBroken } from '../common/picture.tsx';

/** What is seen of the table when it is at rest. */
export interface Seen {
  readonly camera: Camera;
  readonly window: Size;
}

/** The part of an item that is in the window, in fractions of it; undefined where none is. */
function visiblePart(item: TableImage, ratio: number, { camera, window }: Seen): Rect | undefined {
  const [right, below] = [(window.width / 2) * camera.mm, (window.height / 2) * camera.mm];
  const corners = [
    { x: camera.x - right, y: camera.y - below },
    { x: camera.x + right, y: camera.y - below },
    { x: camera.x + right, y: camera.y + below },
    { x: camera.x - right, y: camera.y + below },
  ];
  const box = boxAround(corners.map((corner) => pointInside(item, ratio, corner)));
  if (box === undefined) return undefined;
  const [left, top] = [Math.max(0, box.x + 0.5), Math.max(0, box.y + 0.5)];
  const [width, height] = [Math.min(1, box.x + 0.5 + box.width) - left, Math.min(1, box.y + 0.5 + box.height) - top];
  return width > 0 && height > 0 ? { x: left, y: top, width, height } : undefined;
}

const percent = (fraction: number): string => `${fraction * 100}%`;

const placeStyle = ({ x, y, width, height }: Rect) => ({
  left: percent(x),
  top: percent(y),
  width: percent(width),
  height: percent(height),
});

const isWhole = (region: Rect): boolean => region.width >= 1 && region.height >= 1;

const regionDecimals = 6;

/** Of the library the server cuts the region out; of other hosts the whole picture comes, of which the frame shows a part. */
function addressOfPicture(path: string, { region, size }: WantedPicture): string {
  if (!isForeign(path)) {
    return pictureAddress(path, size, isWhole(region) ? [] : formatRegion(region, 'fit', regionDecimals));
  }
  const whole = { width: size.width / region.width, height: size.height / region.height };
  return pictureAddress(path, { width: Math.round(whole.width), height: Math.round(whole.height) });
}

/** Where the whole picture of another host lies, so that its region fills the frame. */
const aroundRegion = ({ x, y, width, height }: Rect): Rect => ({
  x: -x / width,
  y: -y / height,
  width: 1 / width,
  height: 1 / height,
});

interface ItemPicturesProps {
  readonly item: TableImage;
  readonly image: Size;
  readonly ratio: number;
  /** Undefined until the table has come to rest for the first time. */
  readonly seen: Seen | undefined;
}

export function ItemPictures({ item, image, ratio, seen }: ItemPicturesProps): VNode | null {
  const { path } = item;
  const region = item.region ?? wholeImage;
  /** No picture is replaced by a smaller one. */
  const largest = useRef<WantedPicture | undefined>(undefined);
  const { isBroken, onError } = useBroken(path);
  const visible = seen && visiblePart(item, ratio, seen);
  const pixels = seen === undefined ? 0 : (item.width * Math.max(1, ratio) * devicePixelRatio) / seen.camera.mm;
  if (visible !== undefined) {
    const whole = wholePicture(image, region, pixels);
    if (whole.size.width > (largest.current?.size.width ?? 0)) largest.current = whole;
  }
  const whole = largest.current;
  if (isBroken) return <Icon of={ImageOff} size={26} />;
  if (whole === undefined) return null;
  const detail = visible === undefined || isForeign(path) ? undefined : detailPicture(image, region, pixels, visible);
  const detailAddress = detail && addressOfPicture(path, detail);
  return (
    <>
      <img
        src={addressOfPicture(path, whole)}
        alt=""
        style={placeStyle(isForeign(path) ? aroundRegion(region) : wholeImage)}
        decoding="async"
        draggable={false}
        onError={onError}
      />
      {detail && (
        <img
          key={detailAddress}
          src={detailAddress}
          alt=""
          class="part"
          style={placeStyle(detail.place)}
          decoding="async"
          draggable={false}
        />
      )}
    </>
  );
}
