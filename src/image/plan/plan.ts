/** Decides everything about an answer before a byte is read: what is sent or rendered, from where, through which steps. */

import type { ColorSteps } from '../model/color.ts';
import { badRequest, ImageError } from '../model/errors.ts';
import { type OutputFormat, outputFormats, type SourceFormat, sourceFormats } from '../model/formats.ts';
import type { Rect, Size } from '../model/geometry.ts';
import type { ImageRequest, Kernel } from '../model/image-request.ts';
import type { Admitted, ImageSet, LevelLocation, Resolution, SourceFile, StoredColor } from '../model/image-set.ts';
import { type Limits, largestWithin, requireWithinLimits } from '../model/limits.ts';
import type { Turn } from '../model/orientation.ts';
import type { Profiles, StoredSamples } from '../model/stored-samples.ts';
import type { JpegTiles } from '../model/stored-tiles.ts';
import { chooseResolution, type Frame, resolveArea } from './area-framing.ts';
import { obstacleToFile, positionOfTile } from './passthrough.ts';
import { formatOf, type Planned, planRender } from './plan-render.ts';
import { choosePyramid, type WithoutPyramid } from './pyramid-choice.ts';
import type { Extend } from './read-window.ts';
import { resolveRegionFraming } from './region-framing.ts';

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
  readonly location: LevelLocation;
  /** The level's size in pixels as stored. */
  readonly level: Size;
  /** The size of the tiles that the level is stored in; undefined where it is not. */
  readonly tile?: Size;
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

/** Send one stored tile without decoding it, with a head before it that makes it a JPEG file. */
export interface SendTile {
  readonly kind: 'send-tile';
  readonly file: SourceFile;
  readonly location: LevelLocation;
  readonly tiles: JpegTiles;
  /** The tile's place in the level's grid, from 0. */
  readonly column: number;
  readonly row: number;
  /** The tile's size in pixels as stored, with the padding that it has at the right and bottom edge of its level. */
  readonly tile: Size;
  /** The derivative's size in pixels: the tile's, or smaller where padding is cut off. */
  readonly size: Size;
  /** Whether the level's ICC profile goes into the head. */
  readonly profile: 'none' | 'keep';
  /** How the same picture is made where the tile turns out to be missing or damaged. */
  readonly fallback: Render;
}

export type Plan = SendFile | SendTile | Render;

/** A way to answer that was considered before the plan, and the end of the sentence that says why it was not taken. */
export interface PassedOver {
  readonly kind: 'send-file' | 'send-tile' | 'use-pyramid';
  readonly reason: string;
}

/** The plan, and what was passed over for it, in order. */
export interface Decision {
  readonly plan: Plan;
  readonly passedOver: readonly PassedOver[];
  /** Where the plan reads the derived pyramid: what was passed over there. */
  readonly inPyramid?: readonly PassedOver[];
}

/** What the plan may use beside the request and the image. */
export interface PlanningRules {
  readonly limits: Limits;
  /** Whether original files may be sent when a request asks for them. */
  readonly sendFile: boolean;
  /** What becomes of ICC profiles; converted to sRGB by default. */
  readonly profiles?: Profiles;
}

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

function requireReasonable(render: Render, frame: Frame, limits: Limits): void {
  requireWithinLimits(frame.output, render.format, limits);
  requireWithinLimits(render.size, render.format, limits);
  const enlarged = Math.max(frame.output.width / frame.source.width, frame.output.height / frame.source.height);
  if (limits.maxUpscale !== undefined && enlarged > limits.maxUpscale) {
    throw badRequest(`The result would be enlarged more than ${limits.maxUpscale} times, the most that is allowed.`);
  }
}

/** The shortest way to what a rendering would make. */
function shorten({ render, level }: Planned, resolution: Resolution): Decision {
  const { file } = render;
  const obstacle = obstacleToFile(render, resolution);
  if (obstacle === undefined) {
    const { mediaType } = sourceFormats[resolution.format];
    return { plan: { kind: 'send-file', file, mediaType, attachment: false }, passedOver: [] };
  }
  const asFile: PassedOver = { kind: 'send-file', reason: obstacle };
  const position = positionOfTile(render, level);
  if ('reason' in position) return { plan: render, passedOver: [asFile, { kind: 'send-tile', ...position }] };
  const { location, size, samples } = render;
  const profile = samples.profile === 'keep' ? 'keep' : 'none';
  const plan: SendTile = { kind: 'send-tile', file, location, size, profile, ...position, fallback: render };
  return { plan, passedOver: [asFile] };
}

/** The derived pyramid in place of a rendering from the library's files, where there is one and it serves. */
function preferPyramid(decision: Decision, without: WithoutPyramid): Decision {
  const chosen = choosePyramid(without);
  if (chosen === undefined) return decision;
  if ('reason' in chosen) {
    return { ...decision, passedOver: [...decision.passedOver, { kind: 'use-pyramid', ...chosen }] };
  }
  const { plan, passedOver } = shorten(chosen, without.image.derived ?? without.frame.resolution);
  return { ...decision, plan, inPyramid: passedOver.filter(({ kind }) => kind === 'send-tile') };
}

/**
 * Chooses how a request for an admitted image is answered, and says what it passed over. Pure: reads nothing, renders
 * nothing. Throws ImageError `bad-request` where the request can't be met, `unsupported` where the source can't be decoded.
 */
export function decide(request: ImageRequest, image: Admitted<ImageSet>, rules: PlanningRules): Decision {
  if (request.delivery !== 'picture') {
    if (rules.sendFile) return { plan: planOriginal(request, image), passedOver: [] };
    const decision = decide(withoutOriginal(request), image, rules);
    const forbidden: PassedOver = { kind: 'send-file', reason: 'the settings forbid to send original files' };
    return { ...decision, passedOver: [forbidden, ...decision.passedOver] };
  }
  const frame = resolveFrame(request, image, rules.limits);
  const profiles = rules.profiles ?? 'convert';
  const planned = planRender(request, frame, profiles);
  requireReasonable(planned.render, frame, rules.limits);
  const decision = shorten(planned, frame.resolution);
  if (decision.plan.kind !== 'render') return decision;
  if (!sourceFormats[planned.render.sourceFormat].decodable) {
    throw new ImageError(
      'unsupported',
      'JPEG 2000 files are listed and described, but can’t be rendered yet; mo=file sends the original.',
    );
  }
  const largest = largestFor(request, image, rules.limits);
  return preferPyramid(decision, { request, image, frame, planned, profiles, largest });
}

/** How a request for an admitted image is answered; see `decide`. */
export const planImage = (request: ImageRequest, image: Admitted<ImageSet>, rules: PlanningRules): Plan =>
  decide(request, image, rules).plan;

/** Whether a tile has padding that is cut off. */
export const isCut = ({ tile, size }: SendTile): boolean => size.width < tile.width || size.height < tile.height;

/** The media type of what a plan yields. */
export function mediaTypeOf(plan: Plan): string {
  switch (plan.kind) {
    case 'send-file':
      return plan.mediaType;
    case 'send-tile':
      return outputFormats.jpeg.mediaType;
    case 'render':
      return outputFormats[plan.format].mediaType;
  }
}

/** What makes a derivative different from every other: the plan with the source's fingerprint, as text. */
export function keyOf(plan: Plan): string {
  if (plan.kind !== 'send-tile') return JSON.stringify(plan);
  // What else the plan says follows from the file and the tile's place in it.
  const { kind, file, location, column, row, profile, size } = plan;
  return JSON.stringify({ kind, file, location, column, row, profile, ...(isCut(plan) && { size }) });
}
