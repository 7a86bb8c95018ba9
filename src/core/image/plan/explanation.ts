/** Explains in plain lines how a request is answered: what was considered, what was chosen, what is read and done. */
import type { ColorSteps } from '../model/color.ts';
import { formatNames } from '../model/formats.ts';
import type { Rect, Size } from '../model/geometry.ts';
import { formatIdentifier } from '../model/identifier.ts';
import type { Kernel } from '../model/image-request.ts';
import type { ImageSet, LevelLocation, Resolution, SourceFile } from '../model/image-set.ts';
import type { Terms } from '../model/tier.ts';
import { isCut, mediaTypeOf, tilesOf } from './cost.ts';
import type { Decision, DrawnCovers, PassedOver, Plan, Render, Resample, SendTile } from './plan-types.ts';

/** A fact with its name; several lines can have the same name. */
export interface ExplanationLine {
  readonly name: string;
  readonly text: string;
}

type Lines = readonly ExplanationLine[];

/** What the explanation needs beside the decision. */
export interface ExplanationContext {
  readonly image: ImageSet;
  /** The cache key of the derivative, which is also its ETag. */
  readonly key: string;
  /** Why the stored tile that was planned can't be sent after all, as the end of a sentence. */
  readonly tileFault?: string;
}

const wayNames: Readonly<Record<Plan['kind'] | PassedOver['kind'], string>> = {
  'send-file': 'send the file',
  'send-tile': 'splice a stored tile',
  'use-pyramid': 'read a derived pyramid',
  render: 'render',
};

const line = (name: string, text: string): ExplanationLine => ({ name, text });
const sizeText = ({ width, height }: Size): string => `${width} x ${height}`;
const rectText = (rect: Rect): string => `${sizeText(rect)} pixels from ${rect.x}, ${rect.y}`;

/** The path of a file within the library. */
function nameOf({ identifier }: ImageSet, file: SourceFile): string {
  const name = file.path.split(/[\\/]/).at(-1) ?? '';
  return [...identifier.segments.slice(0, -1), name].join('/');
}

function imageLine({ identifier, resolutions: [full], page, pageCount }: ImageSet): ExplanationLine {
  const ofPages = pageCount > 1 ? `, page ${page} of ${pageCount}` : '';
  return line('image', `${formatIdentifier(identifier)}, ${sizeText(full)} pixels, ${full.format}${ofPages}`);
}

function fileLine(image: ImageSet, file: SourceFile): ExplanationLine {
  if (file.path === image.derived?.file.path) {
    return line('file', `derived pyramid of ${nameOf(image, image.resolutions[0].file)}, ${file.bytes} bytes`);
  }
  const index = image.resolutions.findIndex((one) => one.file.path === file.path);
  const [count, found] = [image.resolutions.length, image.resolutions[index]];
  const which = count > 1 && found ? `, resolution ${index + 1} of ${count}: ${sizeText(found)} pixels` : '';
  return line('file', `${nameOf(image, file)}, ${file.bytes} bytes${which}`);
}

function locationText(location: LevelLocation): string {
  switch (location.kind) {
    case 'only':
      return '';
    case 'page':
      return `, directory ${location.page} of the file`;
    case 'subifd':
      return `, subdirectory ${location.subifd} of directory ${location.page}`;
    case 'reduction':
      return location.reduction === 0 ? '' : `, reduced by ${2 ** location.reduction} in the code-stream`;
  }
}

function levelLine(resolution: Resolution | undefined, location: LevelLocation): Lines {
  const levels = resolution?.levels ?? [];
  const index = levels.findIndex((one) => JSON.stringify(one.location) === JSON.stringify(location));
  const level = levels[index];
  if (level === undefined) return [];
  const tiles = level.tile ? `, tiles of ${sizeText(level.tile)}` : '';
  const text = `${index + 1} of ${levels.length}: ${sizeText(level)} pixels${tiles}${locationText(location)}`;
  return [line('level', text)];
}

const signed = (value: number): string => `${value < 0 ? '-' : '+'} ${Math.abs(value)}`;

function colorSteps({ channels, contrast, operator }: ColorSteps): readonly string[] {
  const [names, steps]: [readonly string[], string[]] = [['red', 'green', 'blue'], []];
  if (channels) {
    const { factors, offsets } = channels;
    steps.push(names.map((name, at) => `${name} x ${factors[at]} ${signed(offsets[at] ?? 0)}`).join(', '));
  }
  if (contrast) steps.push(`all colors x ${contrast.factor} ${signed(contrast.offset)}`);
  if (operator) steps.push(`color operator ${operator}`);
  return steps;
}

const profileSteps: Readonly<Record<Render['samples']['profile'], readonly string[]>> = {
  none: [],
  ignore: ['leave out the ICC profile: it says sRGB'],
  convert: ['convert colors to sRGB by the ICC profile'],
  keep: ['keep the ICC profile'],
};

function scaleStep(from: Size, to: Size, kernel: Kernel): readonly string[] {
  return from.width === to.width && from.height === to.height ? [] : [`scale to ${sizeText(to)} (${kernel})`];
}

const fraction = (value: number): number => Math.round(value * 1000) / 1000;

/** The part that is resampled, in pixels of the level, or of what it was scaled to. */
function resampleStep({ before, from, to }: Resample, read: Rect, kernel: Kernel): string {
  const origin = before ? { x: 0, y: 0 } : read;
  const [x, y] = [fraction(origin.x + from.x), fraction(origin.y + from.y)];
  const size = `${fraction(from.width)} x ${fraction(from.height)}`;
  return `resample ${size} pixels from ${x}, ${y} to ${sizeText(to)} (${kernel})`;
}

function scalingSteps({ resample, scaled, level, read, kernel, keep, covers }: Render): readonly string[] {
  const cut = keep ? ['cut off the margin that was read for the sake of the edges'] : [];
  if (!resample) return [...scaleStep(covers?.redaction?.before ?? read ?? level, scaled, kernel), ...cut];
  const { before, isOverview } = resample;
  const overview = isOverview ? ['make an overview of the whole, which other parts are cut out of as well'] : [];
  return [
    ...overview,
    ...(before ? scaleStep(read ?? level, before, kernel) : []),
    resampleStep(resample, read ?? { x: 0, y: 0, ...level }, kernel),
    ...scaleStep(resample.to, scaled, kernel),
  ];
}

function redactionSteps({ redaction }: DrawnCovers, from: Size): readonly string[] {
  if (redaction === undefined) return [];
  const { before, read } = redaction;
  return [
    ...(before ? scaleStep(from, before, 'linear') : []),
    `make ${read.length === 1 ? 'a redaction' : `${read.length} redactions`} black`,
  ];
}

function stepsOf(render: Render): readonly string[] {
  const { samples, turn, rotation, color, format, covers, read, level } = render;
  return [
    ...(samples.range ? [`bring samples of ${samples.bits} bits to 8`] : []),
    ...profileSteps[samples.profile],
    ...(covers ? redactionSteps(covers, read ?? level) : []),
    ...scalingSteps(render),
    ...(turn.flop ? ['mirror left to right'] : []),
    ...(turn.turns > 0 ? [`turn by ${turn.turns * 90}° clockwise`] : []),
    ...(covers?.mark ? ['draw the watermark'] : []),
    ...(rotation === 0 ? [] : [`turn by ${rotation}° clockwise`]),
    ...colorSteps(color),
    ...(covers?.redaction ? ['make what is redacted black again'] : []),
    `encode as ${formatNames[format].mediaType}`,
  ];
}

function renderLines(render: Render, resolution: Resolution | undefined): Lines {
  return [
    ...levelLine(resolution, render.location),
    line('read', render.read ? rectText(render.read) : 'all of it'),
    ...stepsOf(render).map((step) => line('step', step)),
    line('result', `${sizeText(render.size)} pixels, ${mediaTypeOf(render)}`),
  ];
}

function tileLines(plan: SendTile, resolution: Resolution | undefined): Lines {
  const { column, row, tiles, tile, size, profile } = plan;
  const head = profile === 'keep' ? 'its head of JPEG markers and the ICC profile' : 'its head of JPEG markers';
  const { width, height } = tilesOf(plan);
  const more = width * height > 1 ? `, and others up to ${width} x ${height}` : '';
  return [
    ...levelLine(resolution, plan.location),
    line(
      'read',
      `the tile in column ${column} of ${tiles.columns}, row ${row} of ${tiles.rows}, counted from 0${more}`,
    ),
    line('step', `put ${head} before the tile’s bytes, as they are stored (${tiles.samples})`),
    ...(more ? [line('step', 'join the tiles without decoding them')] : []),
    ...(isCut(plan) ? [line('step', `cut off the padding of the tile, ${sizeText(tile)}, without decoding it`)] : []),
    line('result', `${sizeText(size)} pixels, ${mediaTypeOf(plan)}`),
  ];
}

function workLines(plan: Plan, resolution: Resolution | undefined, fault: string | undefined) {
  switch (plan.kind) {
    case 'send-file':
      return [line('result', `the file’s own bytes, ${plan.mediaType}${plan.attachment ? ', to be saved' : ''}`)];
    case 'send-tile':
      return fault === undefined ? tileLines(plan, resolution) : renderLines(plan.fallback, resolution);
    case 'render':
      return renderLines(plan, resolution);
  }
}

const passedOverLine = ({ kind, reason }: PassedOver): ExplanationLine => line(wayNames[kind], `no: ${reason}`);

/** Of a tier, what was considered would tell the size of the whole image. */
function tierLines({ plan, resolved }: Decision, { image, key }: ExplanationContext, { tier }: Terms): Lines {
  const { width, height } = image.resolutions[0];
  const size = plan.kind === 'send-file' ? undefined : (resolved?.output ?? plan.size);
  return [
    line('image', `${formatIdentifier(image.identifier)}, ${sizeText({ width, height })} pixels`),
    line('tier', tier.name),
    line('result', `${size ? `${sizeText(size)} pixels, ` : ''}${mediaTypeOf(plan)}`),
    line('cache key', key),
  ];
}

/** Explains a decision: the image, each way that was considered, then the steps of the chosen one. */
export function explain(decision: Decision, context: ExplanationContext): Lines {
  const { plan, passedOver, inPyramid } = decision;
  const { image, key, tileFault } = context;
  if (image.terms) return tierLines(decision, context, image.terms);
  const resolutions = image.derived ? [...image.resolutions, image.derived] : image.resolutions;
  const resolution = resolutions.find(({ file }) => file.path === plan.file.path);
  const isFaulty = plan.kind === 'send-tile' && tileFault !== undefined;
  return [
    imageLine(image),
    fileLine(image, plan.file),
    ...passedOver.map(passedOverLine),
    ...(inPyramid ? [line(wayNames['use-pyramid'], 'yes'), ...inPyramid.map(passedOverLine)] : []),
    line(wayNames[plan.kind], isFaulty ? `no: ${tileFault}` : 'yes'),
    ...(isFaulty ? [line(wayNames.render, 'yes')] : []),
    ...workLines(plan, resolution, tileFault),
    line('cache key', key),
  ];
}
