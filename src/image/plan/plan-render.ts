/** Plans which pixels of a resolution are read, and the steps that make the picture of them. */

import { isNeutral } from '../model/color.ts';
import { type OutputFormat, sourceFormats } from '../model/formats.ts';
import { isWhole, type Rect, rotatedBounds, type Size, transpose } from '../model/geometry.ts';
import type { ImageRequest } from '../model/image-request.ts';
import { isTransposed, type Level, type Resolution } from '../model/image-set.ts';
import {
  compose,
  mirrorHorizontally,
  mirrorVertically,
  type Turn,
  toStored,
  turnBy,
  turned,
  upright,
} from '../model/orientation.ts';
import { type Profiles, samplesOf } from '../model/stored-samples.ts';
import type { Frame } from './area-framing.ts';
import type { Render } from './plan.ts';
import { planRead } from './read-window.ts';

/** What a request says of the picture beside its frame. */
type Finish = Pick<ImageRequest, 'rotation' | 'mirror' | 'color' | 'format' | 'kernel'>;

/** The format that a request names, or that its source has by default. */
export const formatOf = ({ format }: Pick<ImageRequest, 'format'>, source: Resolution): OutputFormat =>
  format === 'source' ? sourceFormats[source.format].defaultOutput : format;

function askedTurn(request: Finish): { turn: Turn; rotation: number } {
  const horizontal = request.mirror.horizontal ? mirrorHorizontally : turnBy(0);
  const vertical = request.mirror.vertical ? mirrorVertically : turnBy(0);
  const mirrored = compose(horizontal, vertical);
  const degrees = ((request.rotation % 360) + 360) % 360;
  return degrees % 90 === 0
    ? { turn: compose(mirrored, turnBy(degrees / 90)), rotation: 0 }
    : { turn: mirrored, rotation: degrees };
}

export interface Planned {
  readonly render: Render;
  /** The level that is read. */
  readonly level: Level;
}

/** The rendering of a frame. */
export function planRender(request: Finish, frame: Frame, profiles: Profiles): Planned {
  const { resolution, source, output } = frame;
  const sideways = isTransposed(resolution.orientation);
  const storedOutput = sideways ? transpose(output) : output;
  const stored = toStored(source, resolution.levels[0], resolution.orientation);
  const { level, read, extend, scaled, keep } = planRead(resolution, stored, storedOutput);
  const asked = askedTurn(request);
  const turn = compose(upright(resolution.orientation), asked.turn);
  const { rotation } = asked;
  const [format, neutral] = [formatOf(request, resolution), isNeutral(request.color)];
  const finished = asked.turn.turns % 2 === 1 ? transpose(output) : output;
  const render: Render = {
    kind: 'render',
    file: resolution.file,
    sourceFormat: resolution.format,
    sourceColor: resolution.color,
    samples: samplesOf(resolution, { profiles, format, neutral, rotation }),
    location: level.location,
    level: { width: level.width, height: level.height },
    ...(level.tile === undefined ? {} : { tile: level.tile }),
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
  return { render, level };
}

/** A part of a resolution, in its upright pixels, as a picture of so many pixels: nothing else is done. */
export function planPart(resolution: Resolution, source: Rect, output: Size, format: OutputFormat): Render {
  const finish: Finish = {
    rotation: 0,
    mirror: { horizontal: false, vertical: false },
    color: {},
    format,
    kernel: 'lanczos3',
  };
  return planRender(finish, { resolution, source, output }, 'convert').render;
}

/** About how many pixels are decoded: without tiles also those above the part, which an encoder stored before it. */
export function decodedPixels({ read, level, tile }: Render): number {
  if (read === undefined) return level.width * level.height;
  return tile === undefined ? level.width * (read.y + read.height) : read.width * read.height;
}
