/** Addresses of small pictures of a page, from what its manifest says. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import type { Rect } from '../view-state.ts';
import type { ManifestPage } from './page.ts';
import type { ImageService, PageImage } from './picture.ts';

/** The quality that all images have. */
const plainQuality = ({ version }: ImageService): string => (version === 1 ? 'native' : 'default');

const sizedAt = (service: ImageService, { width, height }: Size): string =>
  `${service.id}/full/${width},${service.version === 3 ? height : ''}/0/${plainQuality(service)}.jpg`;

/** The size of an image that fits into a box; the image's shape is known from its canvas. */
function inside(shape: Size, box: Size): Size {
  const ratio = Math.min(1, box.width / shape.width, box.height / shape.height);
  return { width: Math.max(1, Math.round(shape.width * ratio)), height: Math.max(1, Math.round(shape.height * ratio)) };
}

/** A part of an image, in pixels of it, at its full size; undefined where the service has only certain parts. */
export function regionAddress(service: ImageService, part: Rect, image: Size): string | undefined {
  if (service.level === 0) return undefined;
  const isWhole = part.width >= image.width && part.height >= image.height;
  const region = isWhole ? 'full' : [part.x, part.y, part.width, part.height].join(',');
  return `${service.id}/${region}/${service.version === 3 ? 'max' : 'full'}/0/${plainQuality(service)}.jpg`;
}

/** A service of level 0 has only certain sizes: the smallest that fills the box, or else the largest. */
function amongSizes(service: ImageService, box: Size): string | undefined {
  const ascending = [...service.sizes].sort((one, other) => one.width - other.width);
  const size = ascending.find(({ width, height }) => width >= box.width || height >= box.height) ?? ascending.at(-1);
  return size && sizedAt(service, size);
}

function fromService(image: PageImage, shape: Size | undefined, box: Size): string | undefined {
  const { service } = image;
  if (service === undefined) return undefined;
  if (service.level === 0) return amongSizes(service, box);
  return shape && sizedAt(service, inside(shape, box));
}

/** A picture of at most about this size in pixels; undefined where none can be had. */
export function thumbnailAddress({ thumbnail, image, canvas }: ManifestPage, box: Size): string | undefined {
  const shape = image?.size ?? canvas;
  return (
    (image && fromService(image, shape, box)) ??
    (thumbnail && fromService(thumbnail, thumbnail.size ?? shape, box)) ??
    thumbnail?.address ??
    image?.address
  );
}
