/** Whether a picture is made from an image's derived pyramid instead of from the files of the library. */

import { isNeutral } from '../model/color.ts';
import type { OutputFormat } from '../model/formats.ts';
import type { Size } from '../model/geometry.ts';
import type { ImageRequest } from '../model/image-request.ts';
import { highest, type ImageSet, type Resolution } from '../model/image-set.ts';
import type { Profiles } from '../model/stored-samples.ts';
import { type Frame, resolveArea } from './area-framing.ts';
import { decodedPixels, type Planned, planRender } from './plan-render.ts';
import { resolveRegionFraming } from './region-framing.ts';
import { slownessOf } from './slow-sources.ts';

/** Formats whose own loss hides that of the pyramid's JPEG tiles. */
const lossyFormats: readonly OutputFormat[] = ['jpeg', 'webp', 'avif'];

/** Whether pictures of a format may come from a pyramid. */
export const mayBeLossy = (format: OutputFormat): boolean => lossyFormats.includes(format);

/** A way to answer from the files of the library, for which a pyramid may stand. */
export interface WithoutPyramid {
  readonly request: ImageRequest;
  readonly image: ImageSet;
  readonly frame: Frame;
  readonly planned: Planned;
  readonly profiles: Profiles;
  /** Bounds the size `max` of the request. */
  readonly largest: (shape: Size, enlarge: boolean) => Size;
}

/** Why no pyramid is read, as the end of a sentence. */
interface Obstacle {
  readonly reason: string;
}

function isWholeAtFullSize({ resolution, source, output }: Frame, full: Resolution): boolean {
  const isWhole = source.width >= resolution.width && source.height >= resolution.height;
  return isWhole && (output.width >= full.width || output.height >= full.height);
}

/** What of the request itself keeps it from a pyramid. */
function obstacleInRequest({ image, frame, planned, profiles }: WithoutPyramid): string | undefined {
  const { render } = planned;
  if (!mayBeLossy(render.format)) return 'the picture is to be made without loss';
  if (isWholeAtFullSize(frame, highest(image))) return 'the whole image is asked for at its full size';
  if (profiles === 'keep') return 'the settings keep ICC profiles, and pyramids are sRGB';
  const needsDepth = render.samples.bits > 8 && !isNeutral(render.color);
  return needsDepth ? 'its colors are to be changed, for which all bits of its samples count' : undefined;
}

/** What an image without a pyramid says of one; undefined where it needs none. */
function withoutOne(image: ImageSet): Obstacle | undefined {
  const slowness = slownessOf(highest(image));
  if (slowness.kind === 'quick') return undefined;
  return { reason: slowness.kind === 'slow' ? `there is none yet, though ${slowness.reason}` : slowness.reason };
}

/** The frame as it is on the highest resolution; undefined where a prescaled version was asked for. */
function frameOnHighest({ request, image, frame, largest }: WithoutPyramid): Frame | undefined {
  const { framing } = request;
  if (frame.resolution === highest(image)) return frame;
  if (framing.by === 'region') {
    return resolveRegionFraming(framing, { ...image, resolutions: [highest(image)] }, largest);
  }
  return framing.choice === 'lower' ? undefined : resolveArea({ ...framing, choice: 'highest' }, image);
}

/** The rendering from the image's pyramid, or why not; undefined where the image needs none and has none. */
export function choosePyramid(without: WithoutPyramid): Planned | Obstacle | undefined {
  const { request, image, frame, planned, profiles } = without;
  if (image.derived === undefined) return withoutOne(image);
  const reason = obstacleInRequest(without);
  if (reason !== undefined) return { reason };
  const onHighest = frameOnHighest(without);
  const { width, height } = frame.output;
  if (onHighest?.output.width !== width || onHighest.output.height !== height) {
    return { reason: 'a prescaled version is asked for' };
  }
  // The format is what the library's file would give, whatever the pyramid's own.
  const asked = { ...request, format: planned.render.format };
  const fromPyramid = planRender(asked, { ...onHighest, resolution: image.derived }, profiles);
  const isPrescaled = frame.resolution !== highest(image);
  if (isPrescaled && decodedPixels(planned.render) <= decodedPixels(fromPyramid.render)) {
    return { reason: 'the prescaled version is smaller' };
  }
  return fromPyramid;
}
