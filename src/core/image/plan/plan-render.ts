/** The second step of planning: which pixels of a resolution are read, and the steps that make the picture of them. */
import { isNeutral } from '../model/color.ts';
import type { OutputFormat, SourceFormat } from '../model/formats.ts';
import {
  compose,
  isTransposed,
  isWhole,
  mapRect,
  noTurn,
  type Rect,
  rotatedBounds,
  type Size,
  toStored,
  transpose,
  turned,
  upright,
} from '../model/geometry.ts';
import type { Kernel } from '../model/image-request.ts';
import type { Level, Resolution } from '../model/image-set.ts';
import { arePlain, type StoredSamples, samplesOf } from '../model/stored-samples.ts';
import type { ImageCovers } from './covers/image-covers.ts';
import { redactionOf } from './covers/redaction.ts';
import { markOn } from './covers/watermark.ts';
import { overviewWindow } from './overview.ts';
import type { DrawnCovers, Finish, Frame, PlannedRender, Redaction, Render } from './plan-types.ts';
import { planRead, type ReadWindow, type StoredPixels } from './read-window.ts';
import { type ShrinkOnLoad, shrinkOnLoad } from './shrink-on-load.ts';

/** A part that is reduced by this much shows nothing of what lies between its visible pixels, however these are placed. */
const muchReduced = 1.9;

/**
 * One axis of what is made of a file of which fewer pixels may be seen: as many as may be, from which the result is scaled, or
 * as many as the result has. Made directly from the file, somewhat smaller results would each lie elsewhere between
 * the visible pixels, and many of them together show more than these.
 */
const visibleLength = (output: number, visible: number): number =>
  output * muchReduced <= visible ? output : Math.max(1, Math.round(visible));

/** The frame of a resolution that shows fewer pixels than its file has, in pixels of the file. */
function inFile({ resolution, source, output }: Frame, whole: Resolution): Frame {
  const scale = { width: whole.width / resolution.width, height: whole.height / resolution.height };
  const visible = {
    width: visibleLength(output.width, source.width),
    height: visibleLength(output.height, source.height),
  };
  return { resolution, source: mapRect(source, scale, (length, factor) => length * factor), output: visible };
}

const isSameSize = (one: Size, other: Size): boolean => one.width === other.width && one.height === other.height;

/** Picking single pixels of the file would show more than a reduced image has. */
const averaging = (kernel: Kernel): Kernel => (kernel === 'nearest' ? 'linear' : kernel);

const defaultShrink: ShrinkOnLoad = { shrink: 'most' };
const noShrink: ShrinkOnLoad = { shrink: 'none' };

/** How far the decoder may reduce what is read. Redacted pixels have to lie in their places before anything else is done. */
function shrinkOf(window: ReadWindow, format: SourceFormat, redaction: Redaction | undefined): ShrinkOnLoad {
  const { level, read, resample, scaled, shrink } = window;
  if (shrink) return { shrink };
  if (!isWhole(read, level) || resample) return defaultShrink;
  if (redaction === undefined) return shrinkOnLoad(format, level, scaled);
  if (redaction.before === undefined) return noShrink;
  const reduced = shrinkOnLoad(format, level, redaction.before);
  return reduced.resample ? noShrink : reduced;
}

/** Where the levels that are read are described, in TIFF files. */
function directoriesOf({ levels }: Resolution, { directory }: Level, { range }: StoredSamples) {
  const rangeDirectory = range && levels.find(({ location }) => location === range.location)?.directory;
  return { ...(directory && { directory }), ...(rangeDirectory && { rangeDirectory }) };
}

/** What lies on a picture; undefined where nothing does. */
function drawnOn(
  covers: ImageCovers,
  { frame, source, window }: { readonly frame: Frame; readonly source: Rect; readonly window: ReadWindow },
  turn: Finish['turn'],
): DrawnCovers | undefined {
  const { resolution, output } = frame;
  const file = resolution.reducedFrom ?? resolution;
  const { level, read, scaled } = window;
  const isResampled = window.resample !== undefined;
  const redaction = redactionOf(covers, { file, level, read, scaled, isResampled, source, output, turn });
  const mark = markOn(covers, frame, turn);
  if (redaction === undefined && mark === undefined) return undefined;
  return { key: covers.covers.key, ...(redaction && { redaction }), ...(mark && { mark }) };
}

const storedPixels = ({ format, color }: Resolution, samples: StoredSamples): StoredPixels =>
  format === 'tiff' && arePlain(color, samples) ? 'plain' : 'converted';

/** The rendering of a frame. */
export function planRender(frame: Frame, finish: Finish): PlannedRender {
  const { resolution } = frame;
  const { reducedFrom } = resolution;
  const { source, output } = reducedFrom ? inFile(frame, reducedFrom) : frame;
  const { rotation, corners, color, format, profiles } = finish;
  const kernel = reducedFrom ? averaging(finish.kernel) : finish.kernel;
  const sideways = isTransposed(resolution.orientation);
  const storedOutput = sideways ? transpose(output) : output;
  const stored = toStored(source, resolution.levels[0], resolution.orientation);
  const samples = samplesOf(resolution, { profiles, format, neutral: isNeutral(color), rotation });
  const overview = finish.covers ? undefined : overviewWindow(resolution, samples, stored, storedOutput);
  const window = overview ?? planRead(resolution, stored, storedOutput, storedPixels(resolution, samples));
  const { level, read, scaled, keep } = window;
  const isWholeLevel = isWhole(read, level);
  const covers = finish.covers && drawnOn(finish.covers, { frame, source, window }, finish.turn);
  const { shrink, resample = window.resample } = shrinkOf(window, resolution.format, covers?.redaction);
  const turn = compose(upright(resolution.orientation), finish.turn);
  const turnedOutput = finish.turn.turns % 2 === 1 ? transpose(frame.output) : frame.output;
  const render: Render = {
    kind: 'render',
    file: resolution.file,
    sourceFormat: resolution.format,
    sourceColor: resolution.color,
    samples,
    location: level.location,
    ...directoriesOf(resolution, level, samples),
    level: { width: level.width, height: level.height },
    ...(resolution.truncated && { truncated: true }),
    ...(level.tile === undefined ? {} : { tile: level.tile }),
    decoding: level.decoding,
    ...(resolution.jpeg2000 && { jpeg2000: resolution.jpeg2000 }),
    ...(level.stored && level.stored.kind !== 'opaque' && { tiles: level.stored }),
    ...(isWholeLevel && shrink !== 'none' ? {} : { read }),
    ...(shrink === 'less' ? { shrink } : {}),
    ...(resample === undefined ? {} : { resample }),
    scaled,
    ...(isWhole(keep, scaled) ? {} : { keep: turned(keep, scaled, turn) }),
    kernel,
    turn,
    ...(reducedFrom && !isSameSize(output, frame.output) && { rescaled: turnedOutput }),
    rotation,
    ...(corners && { corners }),
    color,
    ...(covers && { covers }),
    format,
    size: rotatedBounds(turnedOutput, rotation),
  };
  return { render, resolution, level };
}

/** A part of a resolution, in its upright pixels, scaled to a picture of `output` pixels without any other step than what lies on it. */
export function planPart(
  resolution: Resolution,
  source: Rect,
  output: Size,
  format: OutputFormat,
  covers?: ImageCovers,
): Render {
  const plain: Finish = { turn: noTurn, rotation: 0, color: {}, kernel: 'lanczos3', format, profiles: 'convert' };
  const finish = covers ? { ...plain, covers } : plain;
  return planRender({ resolution, source, output }, finish).render;
}
