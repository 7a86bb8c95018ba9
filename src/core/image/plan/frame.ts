/** The first step of planning: a request becomes pixels of one image, and what happens to them. */

import { type Limits, largestWithin } from '../model/answer-limits.ts';
import { isNeutral } from '../model/color.ts';
import { badRequest } from '../model/errors.ts';
import { formatNames, type OutputFormat, sourceFormats } from '../model/formats.ts';
import {
  compose,
  isWhole,
  mirrorHorizontally,
  mirrorVertically,
  noTurn,
  type Size,
  turnBy,
} from '../model/geometry.ts';
import type { AreaFraming, ImageRequest } from '../model/image-request.ts';
import { highest, type ImageSet, type Resolution } from '../model/image-set.ts';
import { fractionsOf, frameArea } from './area-framing.ts';
import { imageCoversOf } from './covers/image-covers.ts';
import { limitsFor } from './image-limits.ts';
import type { Finish, Frame, FramedRequest, PlanningRules } from './plan-types.ts';
import { frameRegion, resolveRegion } from './region-framing.ts';

const ownFormatOf = ({ format }: ImageRequest, source: Resolution): OutputFormat =>
  format === 'source' ? sourceFormats[source.format].defaultOutput : format;

/** The format of the picture. Throws ImageError where the terms on which the image is seen leave out the one that is asked for. */
function formatOf(request: ImageRequest, source: Resolution, { terms }: ImageSet): OutputFormat {
  const format = ownFormatOf(request, source);
  const formats = terms?.tier.formats;
  if (formats === undefined || formats.includes(format)) return format;
  if (request.format === 'source') return formats[0] ?? format;
  const names = formats.map((one) => formatNames[one].name).join(', ');
  throw badRequest(`This image can be had as ${names} only.`);
}

function turnOf({ mirror, rotation, corners }: ImageRequest): Pick<Finish, 'turn' | 'rotation' | 'corners'> {
  const { horizontal, vertical } = mirror;
  const mirrored = compose(horizontal ? mirrorHorizontally : noTurn, vertical ? mirrorVertically : noTurn);
  const degrees = ((rotation % 360) + 360) % 360;
  return degrees % 90 === 0
    ? { turn: compose(mirrored, turnBy(degrees / 90)), rotation: 0 }
    : { turn: mirrored, rotation: degrees, ...(corners && { corners }) };
}

/** The size `max` of a request for each shape. */
const largestOf =
  (request: ImageRequest, image: ImageSet, limits: Limits) =>
  (shape: Size, enlarge: boolean): Size =>
    largestWithin(
      shape,
      { degrees: request.rotation, enlarge },
      formatOf(request, highest(image), image),
      limitsFor(image, limits),
    );

function frameOnHighest(framing: AreaFraming, frame: Frame, image: ImageSet): Frame | undefined {
  if (frame.resolution === highest(image)) return frame;
  return framing.choice === 'lower' ? undefined : frameArea({ ...framing, choice: 'highest' }, image);
}

/**
 * As digilib does, `mo=lores` sends an image whole instead of enlarging it where nothing else is requested of it: no area,
 * no turn, no colors, no other format. Whatever else is requested, it decides only which resolution is read.
 */
function isSentWhole(framing: AreaFraming, finish: Finish, frame: Frame, full: Size): boolean {
  const { turn, rotation, color, format } = finish;
  const { resolution, source, output } = frame;
  const isEnlarged = output.width > source.width || output.height > source.height;
  const isAll = isWhole(fractionsOf(framing, full), { width: 1, height: 1 });
  const isUnchanged = !turn.flop && turn.turns === 0 && rotation === 0 && isNeutral(color);
  return framing.choice === 'lower' && isEnlarged && isAll && isUnchanged && format === resolution.format;
}

/** Resolves a request on an image. Throws ImageError `bad-request` where the two don't fit together. */
export function frameRequest(
  request: ImageRequest,
  image: ImageSet,
  { limits, profiles = 'convert' }: PlanningRules,
): FramedRequest {
  const { framing, color, kernel } = request;
  const covers = imageCoversOf(image);
  const finishOf = (source: Resolution): Finish => ({
    ...turnOf(request),
    color,
    kernel,
    format: formatOf(request, source, image),
    profiles,
    ...(covers && { covers }),
  });
  if (framing.by === 'region') {
    const resolved = resolveRegion(framing, highest(image), largestOf(request, image, limits));
    const frame = frameRegion(resolved, image);
    const onHighest = frameRegion(resolved, { ...image, resolutions: [highest(image)] });
    return { frame, onHighest, finish: finishOf(frame.resolution), resolved };
  }
  const requested = frameArea(framing, image);
  const finish = finishOf(requested.resolution);
  const { resolution } = requested;
  const { width, height } = resolution;
  const whole: Frame = { resolution, source: { x: 0, y: 0, width, height }, output: { width, height } };
  const frame = isSentWhole(framing, finish, requested, highest(image)) ? whole : requested;
  const onHighest = image.derived && frameOnHighest(framing, frame, image);
  return { frame, ...(onHighest && { onHighest }), finish };
}
