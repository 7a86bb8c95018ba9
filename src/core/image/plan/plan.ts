/** Decides everything about an answer before a byte is read: what is sent or rendered, from where, through which steps. */
import { type Limits, requireWithinLimits } from '../model/answer-limits.ts';
import { isNeutral } from '../model/color.ts';
import { badRequest, cutShort, ImageError } from '../model/errors.ts';
import { formatNames, outputFormats } from '../model/formats.ts';
import type { ImageRequest } from '../model/image-request.ts';
import { type Admitted, highest, type ImageSet, type Resolution, storedHighest } from '../model/image-set.ts';
import { chooseResolution } from './area-framing.ts';
import { decodedPixels } from './cost.ts';
import { frameRequest } from './frame.ts';
import { requireAffordable } from './image-limits.ts';
import { passThrough } from './passthrough.ts';
import { planRender } from './plan-render.ts';
import type {
  Decision,
  Frame,
  FramedRequest,
  PassedOver,
  PlannedRender,
  PlanningRules,
  Render,
  SendFile,
  WhyNot,
} from './plan-types.ts';
import { slownessOf } from './slow-sources.ts';

function isWholeAtFullSize({ resolution, source, output }: Frame, full: Resolution): boolean {
  if (full.reducedFrom) return false;
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
  const slowness = slownessOf(storedHighest(image));
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

function requireOriginals({ terms, covers }: ImageSet): void {
  if (covers)
    throw new ImageError(terms?.denial ?? 'denied', 'Something covers this image: you may not have its file.');
  if (terms === undefined || terms.tier.originals) return;
  throw new ImageError(terms.denial, 'You may see this image smaller only, and not have its file.');
}

/** mo=file and mo=rawfile: the file of the chosen resolution (digilib.md, section 2). */
function planOriginal({ framing, delivery }: ImageRequest, image: ImageSet): SendFile {
  requireOriginals(image);
  const { file, format, jpeg2000 } = framing.by === 'area' ? chooseResolution(framing, image) : image.resolutions[0];
  const attachment = delivery === 'attachment';
  const ownType = jpeg2000?.mediaType ?? formatNames[format].mediaType;
  const mediaType = attachment ? 'application/octet-stream' : ownType;
  return { kind: 'send-file', file, mediaType, attachment };
}

/** When original files may not be sent, a request for one is answered as mo=clip (digilib.md, section 2). */
function planWithoutOriginal(request: ImageRequest, image: Admitted<ImageSet>, rules: PlanningRules): Decision {
  const { framing } = request;
  const clipped: ImageRequest['framing'] = framing.by === 'area' ? { ...framing, mode: { name: 'clip' } } : framing;
  const decision = planImage({ ...request, delivery: 'picture', framing: clipped }, image, rules);
  const forbidden: PassedOver = { kind: 'send-file', reason: 'the settings forbid to send original files' };
  return { ...decision, passedOver: [forbidden, ...decision.passedOver] };
}

function requireReasonable(render: Render, { frame, resolved }: FramedRequest, image: ImageSet, limits: Limits): void {
  requireWithinLimits(frame.output, render.format, limits);
  requireWithinLimits(render.size, render.format, limits);
  const maxUpscale = (resolved ? limits.maxUpscale : limits.maxScalerUpscale) ?? Number.POSITIVE_INFINITY;
  const { width, height } = highest(image);
  if (frame.output.width > width * maxUpscale || frame.output.height > height * maxUpscale) {
    throw badRequest(
      `The result would have more than ${maxUpscale} times the sides of the image, which has ${width} x ${height} pixels.`,
    );
  }
}

function requireWhole({ truncated }: Render, rules: PlanningRules): void {
  if (truncated && rules.truncated !== 'show') throw cutShort();
}

/** The derived pyramid in place of a rendering from the library's files, where there is one and it serves. */
function preferPyramid(decision: Decision, framed: FramedRequest, direct: Render, image: ImageSet): Decision {
  const chosen = choosePyramid(framed, direct, image);
  if (chosen === undefined) return decision;
  if ('reason' in chosen) {
    return { ...decision, passedOver: [...decision.passedOver, { kind: 'use-pyramid', ...chosen }] };
  }
  const { plan, passedOver } = passThrough(chosen, image);
  return { ...decision, plan, inPyramid: passedOver.filter(({ kind }) => kind === 'send-tile') };
}

/**
 * Chooses how a request for an admitted image is answered, and says what it passed over. Pure: reads nothing, renders
 * nothing. Throws ImageError `bad-request` where the request can't be met, `damaged` where a part of the file is missing and
 * is not to be shown so, `too-large` where it would take too much memory.
 */
export function planImage(request: ImageRequest, image: Admitted<ImageSet>, rules: PlanningRules): Decision {
  if (request.delivery !== 'picture') {
    return rules.sendFile
      ? { plan: planOriginal(request, image), passedOver: [] }
      : planWithoutOriginal(request, image, rules);
  }
  const framed = frameRequest(request, image, rules);
  const direct = planRender(framed.frame, framed.finish);
  const { render } = direct;
  requireReasonable(render, framed, image, rules.limits);
  requireWhole(render, rules);
  const passed = passThrough(direct, image);
  const { resolved } = framed;
  const decision = { ...passed, ...(resolved && { resolved }) };
  if (decision.plan.kind !== 'render') return decision;
  const chosen = preferPyramid(decision, framed, render, image);
  requireAffordable(chosen.plan, rules.limits);
  return chosen;
}
