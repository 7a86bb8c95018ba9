/** Decides everything about an answer before a byte is read: what is sent or rendered, from where, through which steps. */
import { chooseResolution, type Frame, resolveArea } from './area-framing.ts';
import { type ColorSteps, isNeutral } from './color.ts';
import { badRequest, ImageError } from './errors.ts';
import { type OutputFormat, outputFormats, type SourceFormat, sourceFormats } from './formats.ts';
import { isWhole, type Rect, rotatedBounds, type Size, transpose } from './geometry.ts';
import type { ImageRequest, Kernel } from './image-request.ts';
import {
  type Admitted,
  type ImageSet,
  isTransposed,
  type LevelPlace,
  type Resolution,
  type SourceFile,
  type StoredColor,
} from './image-set.ts';
import { type Limits, largestWithin, requireWithinLimits } from './limits.ts';
import {
  compose,
  mirrorHorizontally,
  mirrorVertically,
  type Turn,
  toStored,
  turnBy,
  turned,
  upright,
} from './orientation.ts';
import { type Extend, planReading } from './reading.ts';
import { resolveRegionFraming } from './region-framing.ts';
import { type Profiles, type StoredSamples, samplesOf } from './stored-samples.ts';

/** Send the file's bytes as they are. */
export interface SendFile {
  readonly kind: 'send-file';
  readonly file: SourceFile;
  readonly mediaType: string;
  /** Whether the browser is to save it instead of showing it. */
  readonly attachment: boolean;
}

/** Decode a part of one stored level and make a picture of it; every member is plain data. */
export interface Render {
  readonly kind: 'render';
  readonly file: SourceFile;
  readonly sourceFormat: SourceFormat;
  readonly sourceColor: StoredColor;
  readonly samples: StoredSamples;
  readonly place: LevelPlace;
  /** The level's size in pixels as stored. */
  readonly level: Size;
  /** Pixels of the level as stored; undefined for all of them (which lets the decoder shrink while it loads). */
  readonly read?: Rect;
  /** Where the tiling reaches beyond the stored level, how its edge is repeated. */
  readonly extend?: Extend;
  /** The size that what was read is scaled to, in the stored orientation. */
  readonly scaled: Size;
  /** The part of what was scaled and turned that is kept, where neighbors were read for the sake of the edges. */
  readonly keep?: Rect;
  readonly kernel: Kernel;
  /** Mirroring and quarter turns: the source's orientation, then those that were asked for. */
  readonly turn: Turn;
  /** Degrees clockwise that quarter turns can't do; 0 for none. */
  readonly rotation: number;
  readonly color: ColorSteps;
  readonly format: OutputFormat;
  /** The derivative's size in pixels; an odd rotation can end 1 pixel off. */
  readonly size: Size;
}

export type Plan = SendFile | Render;

/** What the plan may use beside the request and the image. */
export interface PlanningRules {
  readonly limits: Limits;
  /** Whether original files may be sent when a request asks for them. */
  readonly sendFile: boolean;
  /** What becomes of ICC profiles; converted to sRGB by default. */
  readonly profiles?: Profiles;
}

const formatOf = (request: ImageRequest, source: Resolution): OutputFormat =>
  request.format === 'source' ? sourceFormats[source.format].defaultOutput : request.format;

/** mo=file and mo=rawfile: the file of the chosen resolution (digilib.md, section 2). */
function planOriginal(request: ImageRequest, image: ImageSet): SendFile {
  const { framing } = request;
  const { file, format } = framing.by === 'area' ? chooseResolution(framing, image) : image.resolutions[0];
  const attachment = request.delivery === 'attachment';
  return {
    kind: 'send-file',
    file,
    mediaType: attachment ? 'application/octet-stream' : sourceFormats[format].mediaType,
    attachment,
  };
}

/** When original files may not be sent, a request for one is answered as mo=clip (digilib.md, section 2). */
function withoutOriginal(request: ImageRequest): ImageRequest {
  const { framing } = request;
  if (framing.by === 'region') return { ...request, delivery: 'picture' };
  return { ...request, delivery: 'picture', framing: { ...framing, mode: { name: 'clip' } } };
}

/** What bounds the size `max` of this request. */
export const largestFor =
  (request: ImageRequest, image: ImageSet, limits: Limits) =>
  (shape: Size, enlarge: boolean): Size =>
    largestWithin(shape, { degrees: request.rotation, enlarge }, formatOf(request, image.resolutions[0]), limits);

const resolveFrame = (request: ImageRequest, image: ImageSet, limits: Limits): Frame =>
  request.framing.by === 'area'
    ? resolveArea(request.framing, image)
    : resolveRegionFraming(request.framing, image, largestFor(request, image, limits));

function askedTurn(request: ImageRequest): { turn: Turn; rotation: number } {
  const horizontal = request.mirror.horizontal ? mirrorHorizontally : turnBy(0);
  const vertical = request.mirror.vertical ? mirrorVertically : turnBy(0);
  const mirrored = compose(horizontal, vertical);
  const degrees = ((request.rotation % 360) + 360) % 360;
  return degrees % 90 === 0
    ? { turn: compose(mirrored, turnBy(degrees / 90)), rotation: 0 }
    : { turn: mirrored, rotation: degrees };
}

/** Whether the stored bytes already are the answer: same pixels, same format, colors that a browser shows rightly. */
function isUnchanged(render: Render, resolution: Resolution): boolean {
  const { turn, rotation, color, read, format, scaled, sourceFormat, place, samples } = render;
  const untouched = !turn.flop && turn.turns === 0 && rotation === 0 && isNeutral(color);
  const whole = read === undefined && place === resolution.levels[0].place;
  const sameSize = scaled.width === resolution.levels[0].width && scaled.height === resolution.levels[0].height;
  const showable = resolution.color === 'rgb' || resolution.color === 'gray' || resolution.color === 'palette';
  const settled = samples.profile !== 'convert' && samples.range === undefined;
  return untouched && whole && sameSize && sourceFormat === format && showable && settled && resolution.complete;
}

function planRender(request: ImageRequest, frame: Frame, profiles: Profiles): Render {
  const { resolution, source, output } = frame;
  const sideways = isTransposed(resolution.orientation);
  const storedOutput = sideways ? transpose(output) : output;
  const stored = toStored(source, resolution.levels[0], resolution.orientation);
  const { level, read, extend, scaled, keep } = planReading(resolution, stored, storedOutput);
  const asked = askedTurn(request);
  const turn = compose(upright(resolution.orientation), asked.turn);
  const { rotation } = asked;
  const [format, neutral] = [formatOf(request, resolution), isNeutral(request.color)];
  const finished = asked.turn.turns % 2 === 1 ? transpose(output) : output;
  return {
    kind: 'render',
    file: resolution.file,
    sourceFormat: resolution.format,
    sourceColor: resolution.color,
    samples: samplesOf(resolution, { profiles, format, neutral, rotation }),
    place: level.place,
    level: { width: level.width, height: level.height },
    ...(isWhole(read, level) ? {} : { read }),
    ...(extend === undefined ? {} : { extend }),
    scaled,
    ...(isWhole(keep, scaled) ? {} : { keep: turned(keep, scaled, turn) }),
    kernel: request.kernel,
    turn,
    rotation,
    color: request.color,
    format,
    size: rotatedBounds(finished, rotation),
  };
}

function requireReasonable(render: Render, frame: Frame, limits: Limits): void {
  requireWithinLimits(frame.output, render.format, limits);
  requireWithinLimits(render.size, render.format, limits);
  const enlarged = Math.max(frame.output.width / frame.source.width, frame.output.height / frame.source.height);
  if (limits.maxUpscale !== undefined && enlarged > limits.maxUpscale) {
    throw badRequest(`The result would be enlarged more than ${limits.maxUpscale} times, the most that is allowed.`);
  }
}

/**
 * Chooses how a request for an admitted image is answered. Pure: reads nothing, renders nothing.
 * Throws ImageError `bad-request` where the request can't be met, `unsupported` where the source can't be decoded.
 */
export function planImage(request: ImageRequest, image: Admitted<ImageSet>, rules: PlanningRules): Plan {
  if (request.delivery !== 'picture') {
    return rules.sendFile ? planOriginal(request, image) : planImage(withoutOriginal(request), image, rules);
  }
  const frame = resolveFrame(request, image, rules.limits);
  const render = planRender(request, frame, rules.profiles ?? 'convert');
  requireReasonable(render, frame, rules.limits);
  if (isUnchanged(render, frame.resolution)) {
    const mediaType = sourceFormats[frame.resolution.format].mediaType;
    return { kind: 'send-file', file: render.file, mediaType, attachment: false };
  }
  if (!sourceFormats[render.sourceFormat].decodable) {
    throw new ImageError(
      'unsupported',
      'JPEG 2000 files are listed and described, but can’t be rendered yet; mo=file sends the original.',
    );
  }
  return render;
}

/** The media type of what a plan yields. */
export const mediaTypeOf = (plan: Plan): string =>
  plan.kind === 'send-file' ? plan.mediaType : outputFormats[plan.format].mediaType;

/** What makes a derivative different from every other: the plan with the source's fingerprint, as text. */
export const keyOf = (plan: Plan): string => JSON.stringify(plan);
