/** Decides everything about an answer before a byte is read: what is sent or rendered, from where, through which steps. */
import { chooseResolution, type Frame, resolveArea } from './area-framing.ts';
import { type ColorSteps, isNeutral } from './color.ts';
import { badRequest, ImageError } from './errors.ts';
import { type OutputFormat, outputFormats, type SourceFormat, sourceFormats } from './formats.ts';
import { isWhole, outward, type Rect, rotatedBounds, type Size, transpose } from './geometry.ts';
import type { ImageRequest, Kernel } from './image-request.ts';
import {
  type Admitted,
  type ImageSet,
  isTransposed,
  type Level,
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

/** Pixels are first scaled to `before`, then the outermost columns and rows are repeated by so many pixels. */
export interface Extend {
  readonly before: Size;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Decode a part of one stored level and make a picture of it; every member is plain data. */
export interface Render {
  readonly kind: 'render';
  readonly file: SourceFile;
  readonly sourceFormat: SourceFormat;
  readonly sourceColor: StoredColor;
  readonly samples: StoredSamples;
  readonly place: LevelPlace;
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

/** The factor between a resolution and one of its levels: a power of two wherever the sizes allow it. */
function reductionOf(level: Level, resolution: Resolution): Size {
  const full = resolution.levels[0];
  const exact = (whole: number, part: number): number => {
    const rounded = Math.round(whole / part);
    return Math.abs(whole / rounded - part) < 1 ? rounded : whole / part;
  };
  return { width: exact(full.width, level.width), height: exact(full.height, level.height) };
}

/** What divisions may be off by. */
const rounding = 1e-6;

/** The smallest level with at least as many pixels as the result. */
function chooseLevel(resolution: Resolution, source: Rect, scaled: Size): Level {
  const [shrinkX, shrinkY] = [source.width / scaled.width, source.height / scaled.height];
  const suffices = (level: Level): boolean => {
    const reduction = reductionOf(level, resolution);
    return reduction.width <= shrinkX + rounding && reduction.height <= shrinkY + rounding;
  };
  return resolution.levels.findLast(suffices) ?? resolution.levels[0];
}

interface Reading {
  /** Pixels of the level. */
  readonly read: Rect;
  readonly extend?: Extend;
  /** The size that it is scaled to, margins included. */
  readonly scaled: Size;
  /** What of that is kept; the rest is margin. */
  readonly keep: Rect;
}

/** Pixels of the level to read, and how its edge is repeated where the tiling reaches beyond what is stored. */
function readFrom(level: Level, reduction: Size, source: Rect, output: Size): Reading {
  const wanted = outward({
    x: snap(source.x / reduction.width),
    y: snap(source.y / reduction.height),
    width: snap(source.width / reduction.width),
    height: snap(source.height / reduction.height),
  });
  const horizontal = readAxis(wanted.x, wanted.width, level.width, output.width);
  const vertical = readAxis(wanted.y, wanted.height, level.height, output.height);
  const read = { x: horizontal.start, y: vertical.start, width: horizontal.length, height: vertical.length };
  const scaled = { width: horizontal.scaled, height: vertical.scaled };
  const keep = { x: horizontal.margin, y: vertical.margin, ...output };
  if (!horizontal.reachesBeyond && !vertical.reachesBeyond) return { read, scaled, keep };
  const { before: width, leading: left, trailing: right } = horizontal;
  const { before: height, leading: top, trailing: bottom } = vertical;
  return { read, scaled, keep, extend: { before: { width, height }, left, top, right, bottom } };
}

/** How many pixels of the result beside its edge have a share in it: as far as the widest kernel reaches. */
const kernelReach = 3;

/**
 * Neighbors of a part that is reduced by an integer, in pixels of the result: with them its edge comes out as if the
 * whole had been reduced, and tiles meet without a seam.
 */
function marginsOf(start: number, length: number, stored: number, output: number): [number, number] {
  const factor = length / output;
  if (factor <= 1 || !Number.isInteger(factor)) return [0, 0];
  const fitting = (room: number): number => Math.max(0, Math.min(kernelReach, Math.floor(room / factor)));
  return [fitting(start), fitting(stored - start - length)];
}

/** How many times the result's size an image is brought to before its edge is repeated: then an eighth of a pixel is exact. */
const edgeScale = 4;

/** One axis of `readFrom`. A strong reduction is made in two steps, so that a decoder can shrink while it loads. */
function readAxis(from: number, length: number, stored: number, output: number) {
  const [margin, marginBehind] = marginsOf(from, length, stored, output);
  const factor = length / output;
  const wantedStart = from - margin * factor;
  const wantedLength = length + (margin + marginBehind) * factor;
  const scaled = output + margin + marginBehind;
  const start = Math.min(Math.max(wantedStart, 0), stored - 1);
  const end = Math.max(start + 1, Math.min(wantedStart + wantedLength, stored));
  const perPixel = Math.min(edgeScale, Math.max(1, wantedLength / scaled));
  const scale = (scaled * perPixel) / wantedLength;
  const before = Math.max(1, Math.round((end - start) * scale));
  const leading = Math.round((start - wantedStart) * scale);
  return {
    start,
    length: end - start,
    scaled,
    margin,
    reachesBeyond: start > wantedStart || end < wantedStart + wantedLength,
    before,
    leading,
    trailing: Math.max(0, Math.round(scaled * perPixel) - before - leading),
  };
}

/** Takes rounding noise of divisions away, so that a rectangle on whole pixels stays on them. */
const snap = (value: number): number => {
  const rounded = Math.round(value);
  return Math.abs(value - rounded) < rounding ? rounded : value;
};

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
  const level = chooseLevel(resolution, stored, storedOutput);
  const { read, extend, scaled, keep } = readFrom(level, reductionOf(level, resolution), stored, storedOutput);
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
