/** The second step of planning: which pixels of a resolution are read, and the steps that make the picture of them. */
import { isNeutral } from '../model/color.ts';
import type { OutputFormat } from '../model/formats.ts';
import {
  compose,
  isTransposed,
  isWhole,
  noTurn,
  type Rect,
  rotatedBounds,
  type Size,
  toStored,
  transpose,
  turned,
  upright,
} from '../model/geometry.ts';
import type { Resolution } from '../model/image-set.ts';
import { arePlain, samplesOf } from '../model/stored-samples.ts';
import { type ShrinkOnLoad, shrinkOnLoad } from './load-size.ts';
import type { Finish, Frame, PlannedRender, Render } from './plan-types.ts';
import { planRead } from './read-window.ts';

const defaultShrink: ShrinkOnLoad = { shrink: 'most' };

/** The rendering of a frame. */
export function planRender({ resolution, source, output }: Frame, finish: Finish): PlannedRender {
  const { rotation, corners, color, kernel, format, profiles } = finish;
  const sideways = isTransposed(resolution.orientation);
  const storedOutput = sideways ? transpose(output) : output;
  const stored = toStored(source, resolution.levels[0], resolution.orientation);
  const samples = samplesOf(resolution, { profiles, format, neutral: isNeutral(color), rotation });
  const isPlain = resolution.format === 'tiff' && arePlain(resolution.color, samples);
  const window = planRead(resolution, stored, storedOutput, isPlain ? 'plain' : 'converted');
  const { level, read, scaled, keep } = window;
  const isWholeLevel = isWhole(read, level);
  const { shrink, resample = window.resample } =
    isWholeLevel && !window.resample ? shrinkOnLoad(resolution.format, level, scaled) : defaultShrink;
  const turn = compose(upright(resolution.orientation), finish.turn);
  const turnedOutput = finish.turn.turns % 2 === 1 ? transpose(output) : output;
  const render: Render = {
    kind: 'render',
    file: resolution.file,
    sourceFormat: resolution.format,
    sourceColor: resolution.color,
    samples,
    location: level.location,
    level: { width: level.width, height: level.height },
    ...(resolution.truncated && { truncated: true }),
    ...(level.tile === undefined ? {} : { tile: level.tile }),
    decoding: level.decoding,
    ...(resolution.jpeg2000 && { jpeg2000: resolution.jpeg2000 }),
    ...(level.stored?.kind === 'jpeg' && { tiles: level.stored }),
    ...(isWholeLevel && shrink !== 'none' ? {} : { read }),
    ...(shrink === 'less' ? { shrink } : {}),
    ...(resample === undefined ? {} : { resample }),
    scaled,
    ...(isWhole(keep, scaled) ? {} : { keep: turned(keep, scaled, turn) }),
    kernel,
    turn,
    rotation,
    ...(corners && { corners }),
    color,
    format,
    size: rotatedBounds(turnedOutput, rotation),
  };
  return { render, resolution, level };
}

/** A part of a resolution, in its upright pixels, scaled to a picture of `output` pixels without any other step. */
export function planPart(resolution: Resolution, source: Rect, output: Size, format: OutputFormat): Render {
  const finish: Finish = { turn: noTurn, rotation: 0, color: {}, kernel: 'lanczos3', format, profiles: 'convert' };
  return planRender({ resolution, source, output }, finish).render;
}
