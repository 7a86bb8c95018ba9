/** Makes the image that a caller of a tier sees: one of its own, smaller, which is all that planning and descriptions know. */

import { type Dpi, isTransposed, type Size, transpose } from '../image/model/geometry.ts';
import { inTier } from '../image/model/identifier.ts';
import { highest, type ImageMetadata, type ImageSet, type Resolution } from '../image/model/image-set.ts';
import { sizeInTier, type Terms, type Tier } from '../image/model/tier.ts';

const scaledDpi = ({ x, y }: Dpi, from: Size, to: Size): Dpi => ({
  x: (x * to.width) / from.width,
  y: (y * to.height) / from.height,
});

/** The size of a stored level that is the tier’s but for the rounding of writers, so that its tiles need not be rendered. */
function levelSizeNear(size: Size, { levels, orientation }: Resolution, tier: Tier): Size | undefined {
  const sideways = isTransposed(orientation);
  const upright = levels.map(
    ({ width, height }): Size => (sideways ? transpose({ width, height }) : { width, height }),
  );
  const isNear = (one: Size): boolean =>
    Math.abs(one.width - size.width) <= 1 &&
    Math.abs(one.height - size.height) <= 1 &&
    sizeInTier(one, tier) === undefined;
  return upright.find(isNear);
}

function reducedTo(size: Size, whole: Resolution): Resolution {
  const { dpi, orientation } = whole;
  const [from, to] = isTransposed(orientation) ? [transpose(whole), transpose(size)] : [whole, size];
  return { ...whole, ...size, ...(dpi && { dpi: scaledDpi(dpi, from, to) }), reducedFrom: whole };
}

/** By the resolution, which is cached with its file, so that a tier’s resolution is the same object for all requests, too. */
const made = new WeakMap<Resolution, Map<string, Resolution>>();

function cachedReducedTo(size: Size, whole: Resolution): Resolution {
  const known = made.get(whole) ?? new Map<string, Resolution>();
  made.set(whole, known);
  const key = `${size.width} ${size.height}`;
  const found = known.get(key) ?? reducedTo(size, whole);
  known.set(key, found);
  return found;
}

const metadataFor = (metadata: ImageMetadata, from: Size, to: Size): ImageMetadata =>
  metadata.dpi === undefined ? metadata : { ...metadata, dpi: scaledDpi(metadata.dpi, from, to) };

/** The image in a tier. */
export function tieredImage<Image extends ImageSet>(image: Image, terms: Terms): Image {
  const full = highest(image);
  const { tier } = terms;
  const named = { ...image, identifier: inTier(image.identifier, tier.name), terms };
  const exact = sizeInTier(full, tier);
  if (exact === undefined) return named;
  const size = levelSizeNear(exact, full, tier) ?? exact;
  const [, ...others] = image.resolutions;
  return {
    ...named,
    resolutions: [
      cachedReducedTo(size, full),
      ...others.filter(({ width, height }) => width <= size.width && height <= size.height),
    ],
    metadata: metadataFor(image.metadata, full, size),
    ...(image.derived && { derived: cachedReducedTo(size, image.derived) }),
  };
}
