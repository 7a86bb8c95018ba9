/** The last step of planning: a rendering reads the image's derived pyramid in place of the library's files. */
import { isNeutral } from '../model/color.ts';
import { outputFormats } from '../model/formats.ts';
import { highest, type ImageSet, type Resolution } from '../model/image-set.ts';
import { decodedPixels } from './plan-facts.ts';
import { planRender } from './plan-render.ts';
import type { Frame, FramedRequest, PlannedRender, Render, WhyNot } from './plan-types.ts';
import { slownessOf } from './slow-sources.ts';

function isWholeAtFullSize({ resolution, source, output }: Frame, full: Resolution): boolean {
  const isWhole = source.width >= resolution.width && source.height >= resolution.height;
  return isWhole && (output.width >= full.width || output.height >= full.height);
}

/** Why the request itself rules out every pyramid. */
function whyNoPyramid({ frame, finish }: FramedRequest, render: Render, image: ImageSet): string | undefined {
  if (!outputFormats[render.format].lossy) return 'the picture is to be made without loss';
  if (isWholeAtFullSize(frame, highest(image))) return 'the whole image is asked for at its full size';
  if (finish.profiles === 'keep') return 'the settings keep ICC profiles, and pyramids are sRGB';
  const needsDepth = render.samples.bits > 8 && !isNeutral(render.color);
  return needsDepth ? 'its colors are to be changed, for which all bits of its samples count' : undefined;
}

/** What there is to say of an image without a pyramid; undefined where it needs none. */
function whyMissing(image: ImageSet): WhyNot | undefined {
  const slowness = slownessOf(highest(image));
  if (slowness.kind === 'quick') return undefined;
  return { reason: slowness.kind === 'slow' ? `there is none yet, though ${slowness.reason}` : slowness.reason };
}

/**
 * The rendering from the image's pyramid in place of `direct`, which reads the library's files, or why not; undefined where
 * the image needs none and has none.
 */
export function choosePyramid(
  request: FramedRequest,
  direct: Render,
  image: ImageSet,
): PlannedRender | WhyNot | undefined {
  if (image.derived === undefined || highest(image).truncated) return whyMissing(image);
  const reason = whyNoPyramid(request, direct, image);
  if (reason !== undefined) return { reason };
  const { frame, onHighest, finish } = request;
  const { width, height } = frame.output;
  if (onHighest?.output.width !== width || onHighest.output.height !== height) {
    return { reason: 'a prescaled version is asked for' };
  }
  const fromPyramid = planRender({ ...onHighest, resolution: image.derived }, finish);
  const isPrescaled = frame.resolution !== highest(image);
  if (isPrescaled && decodedPixels(direct) <= decodedPixels(fromPyramid.render)) {
    return { reason: 'the prescaled version is smaller' };
  }
  return fromPyramid;
}
