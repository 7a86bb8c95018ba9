/** Converts the parameters of a digilib request to an image request (digilib.md, sections 1 and 2). */
import type { ErrorForm } from '../../core/http/error-responses.ts';
import { type ColorSteps, isColorOperator, type Triple, toColorSteps } from '../../core/image/model/color.ts';
import { type Dpi, roundHalfUp } from '../../core/image/model/geometry.ts';
import type { AreaFraming, ImageRequest, Kernel, Mode } from '../../core/image/model/image-request.ts';
import { parseFloat32 } from './numbers.ts';
import type { Option, ParameterValues } from './parameters.ts';

const errorForms = { errimg: 'image', errtxt: 'text', errcode: 'code' } as const;

/** The meaning of the first option of a table that the request has. */
function firstOf<T>({ mo }: ParameterValues, table: Readonly<Partial<Record<Option, T>>>): T | undefined {
  const option = (Object.keys(table) as Option[]).find((name) => mo.has(name));
  return option && table[option];
}

/** The form of errors that the request names; of several the first counts. */
export const errorFormOf = (values: ParameterValues, fallback: ErrorForm): ErrorForm =>
  firstOf(values, errorForms) ?? fallback;

function displayDpi({ ddpi, ddpix, ddpiy }: ParameterValues): Dpi {
  return ddpix !== 0 && ddpiy !== 0 ? { x: ddpix, y: ddpiy } : { x: ddpi, y: ddpi };
}

/** Of several modes the first of fit, squeeze, clip, osize, ascale counts; fit is the default. */
function modeOf(values: ParameterValues): Mode {
  const { mo } = values;
  if (!mo.has('fit')) {
    if (mo.has('squeeze')) return { name: 'squeeze' };
    if (mo.has('clip')) return { name: 'clip' };
    if (mo.has('osize')) return { name: 'osize', display: displayDpi(values) };
    if (mo.has('ascale')) return { name: 'ascale', scale: values.scale };
  }
  return { name: 'fit', refine: mo.has('crop') ? 'crop' : mo.has('fill') ? 'fill' : 'none' };
}

function choiceOf(mo: ReadonlySet<Option>): AreaFraming['choice'] {
  if (mo.has('hires') || mo.has('clip')) return 'highest';
  return mo.has('lores') ? 'lower' : 'sufficient';
}

function framingOf(values: ParameterValues): AreaFraming {
  const { mo, wx, wy, ww, wh, dw, dh, ws } = values;
  const rectangle = { x: wx, y: wy, width: ww, height: wh };
  return {
    by: 'area',
    area: mo.has('pxarea')
      ? { unit: 'pixel', ...rectangle }
      : mo.has('sqarea')
        ? { unit: 'square' }
        : { unit: 'fraction', ...rectangle },
    mode: modeOf(values),
    destination: { width: roundHalfUp(dw * ws), height: roundHalfUp(dh * ws) },
    choice: choiceOf(mo),
    denyUpscale: mo.has('deny_upscale'),
  };
}

/** Three numbers separated by slashes; undefined unless all of them parse. */
function parseTriple(text: string): Triple | undefined {
  const [red, green, blue, ...more] = text.split('/').map(parseFloat32);
  if (red === undefined || green === undefined || blue === undefined || more.length > 0) return undefined;
  return [red, green, blue];
}

function colorOf({ rgbm, rgba, cont, brgt, colop }: ParameterValues): ColorSteps {
  const operator = colop.toUpperCase();
  return toColorSteps({
    multiply: parseTriple(rgbm) ?? [0, 0, 0],
    add: parseTriple(rgba) ?? [0, 0, 0],
    contrast: cont,
    brightness: brgt,
    operator: isColorOperator(operator) ? operator : undefined,
  });
}

const formats = { jpg: 'jpeg', png: 'png', webp: 'webp' } as const;

/** The options for interpolation and their kernels, by quality. */
const kernels = { q0: 'nearest', q1: 'linear', q2: 'cubic', q3: 'lanczos3' } as const;

/** The kernel of a quality from 0 to 3. */
export const kernelOfQuality = (quality: 0 | 1 | 2 | 3): Kernel => kernels[`q${quality}`];

/**
 * The image request of the parameters; `fn` and `pn` name its image. `defaultKernel` applies without any of q0 to q3.
 */
export function toImageRequest(values: ParameterValues, defaultKernel: Kernel = kernelOfQuality(2)): ImageRequest {
  const { mo } = values;
  return {
    framing: framingOf(values),
    mirror: { horizontal: mo.has('hmir'), vertical: mo.has('vmir') },
    rotation: values.rot,
    color: colorOf(values),
    format: firstOf(values, formats) ?? 'source',
    kernel: firstOf(values, kernels) ?? defaultKernel,
    delivery: mo.has('rawfile') ? 'attachment' : mo.has('file') ? 'file' : 'picture',
  };
}
