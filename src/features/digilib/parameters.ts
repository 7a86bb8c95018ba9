/** The table of all digilib parameters: parser, defaults, info object and reference page come from it (digilib.md, section 1). */

import { queryPairs } from '../../core/http/query-pairs.ts';
import { operatorMeanings } from '../../core/image/model/color.ts';
import { enumerate } from '../../core/parsing/nearest.ts';
import { formatFloat32, parseFloat32, parseInteger } from './numbers.ts';

/** The options of `mo` with their meanings, in the order in which they print (digilib.md, section 2). */
export const optionMeanings = {
  fit: 'one factor, so that the area fits inside dw x dh (the default mode)',
  squeeze: 'separate factors for x and y: fills dw x dh exactly',
  crop: 'with fit: the area’s longer side is cut, centered, to fill dw x dh',
  fill: 'with fit: the area grows, centered, to fill dw x dh as far as the image reaches',
  clip: 'no scaling: dw x dh pixels of the highest resolution from wx, wy',
  osize: 'true size on the display: display dpi / image dpi',
  ascale: 'the factor `scale` on the highest resolution',
  file: 'the original file',
  rawfile: 'the original file as a download',
  errtxt: 'errors as text',
  errimg: 'errors as a picture',
  errcode: 'errors as a status code alone',
  q0: 'fastest interpolation',
  q1: 'better interpolation',
  q2: 'good interpolation (the default)',
  q3: 'best interpolation',
  hires: 'read the highest resolution only',
  autores: 'read the smallest resolution that suffices (the default)',
  lores: 'read the largest resolution that is not bigger than needed',
  vmir: 'mirror top to bottom',
  hmir: 'mirror left to right',
  jpg: 'write JPEG',
  png: 'write PNG',
  webp: 'write WebP',
  pxarea: 'wx, wy, ww, wh are pixels of the highest resolution',
  sqarea: 'the centered square over the short side',
  info: 'the info.json of the image in place of a picture',
  redirect_info: 'redirects to the info.json of the image',
  dir: 'folder information without the list of files',
  deny_upscale: 'an error instead of a result larger than the image',
} as const;

export type Option = keyof typeof optionMeanings;

/** The options in their printing order. */
export const optionNames = Object.keys(optionMeanings) as readonly Option[];

/** Reads a comma-separated list; unknown options are dropped. */
export function parseOptions(text: string): ReadonlySet<Option> {
  const named = new Set(text.split(','));
  return new Set(optionNames.filter((name) => named.has(name)));
}

/** Prints options in their order, comma-separated. */
export const formatOptions = (options: ReadonlySet<Option>): string =>
  optionNames.filter((name) => options.has(name)).join(',');

/** s: set by the client; i: internal, a client can't set it; c: a fact about the image, which replaces what the client sends. */
export type Scope = 's' | 'i' | 'c';

interface Values {
  readonly int: number;
  readonly float: number;
  readonly string: string;
  readonly options: ReadonlySet<Option>;
}

export type ParameterType = keyof Values;

interface Rule<T extends ParameterType> {
  readonly type: T;
  readonly default: Values[T];
  readonly scope: Scope;
  readonly meaning: string;
}

const ruleOf =
  <T extends ParameterType>(type: T) =>
  (value: Values[T], scope: Scope, meaning: string): Rule<T> => ({ type, default: value, scope, meaning });

const [int, float, string] = [ruleOf('int'), ruleOf('float'), ruleOf('string')];

/** Every parameter, by name. */
export const parameters = {
  fn: string('', 's', 'path of the image or folder, relative to the first base directory'),
  pn: int(1, 's', 'page: the number, from 1, of the image file in the folder that fn names'),
  dw: int(0, 's', 'destination width in pixels; 0 = not given'),
  dh: int(0, 's', 'destination height in pixels; 0 = not given'),
  wx: float(0, 's', 'left edge of the area, as a fraction of the image (pixels with mo=pxarea)'),
  wy: float(0, 's', 'top edge of the area, likewise'),
  ww: float(1, 's', 'width of the area, likewise'),
  wh: float(1, 's', 'height of the area, likewise'),
  ws: float(1, 's', 'factor on dw and dh'),
  mo: ruleOf('options')(new Set(), 's', 'options, comma-separated'),
  rot: float(0, 's', 'rotation in degrees clockwise'),
  cont: float(0, 's', 'contrast: every channel is multiplied by 2^cont'),
  brgt: float(0, 's', 'brightness: added to every channel (0 to 255)'),
  rgbm: string('0/0/0', 's', 'red/green/blue: each channel is multiplied by 2^value'),
  rgba: string('0/0/0', 's', 'red/green/blue: the value is added to the channel'),
  ddpi: float(0, 's', 'resolution of the client’s display in dpi, for mo=osize'),
  ddpix: float(0, 's', 'the same, horizontally; counts together with ddpiy'),
  ddpiy: float(0, 's', 'the same, vertically'),
  scale: float(1, 's', 'factor on the highest resolution, for mo=ascale'),
  colop: string('', 's', `color operation: ${enumerate(Object.keys(operatorMeanings), 'or')}`),
  id_token: string('', 's', 'OpenID Connect ID token'),
  'request.path': string('', 'i', 'path after the servlet’s name, put before fn'),
  'base.url': string('', 'i', 'the full address that was requested'),
  'request.iiif.elements': string('', 'i', 'path elements of an IIIF request'),
  'docu.image': string('', 'i', 'always empty'),
  'servlet.request': string('', 'i', 'description of the received request'),
  'img.fn': string('', 'c', 'name of the image file'),
  'img.dpix': int(0, 'c', 'horizontal resolution of the image in dpi'),
  'img.dpiy': int(0, 'c', 'vertical resolution of the image in dpi'),
  'img.pix_x': int(0, 'c', 'width of the highest resolution in pixels'),
  'img.pix_y': int(0, 'c', 'height of the highest resolution in pixels'),
} as const satisfies Record<string, Rule<'int'> | Rule<'float'> | Rule<'string'> | Rule<'options'>>;

export type ParameterName = keyof typeof parameters;

/** A value for every parameter, each of its own type. */
export type ParameterValues = {
  readonly [Name in ParameterName]: Values[(typeof parameters)[Name]['type']];
};

/** The names in the order in which the info object lists them: by code unit. */
export const parameterNames = (Object.keys(parameters) as ParameterName[]).sort();

/** The names in the order of the old positional form. No parameter has the name `mk`, so what stands there is dropped. */
export const positionalNames = ['fn', 'pn', 'ws', 'mo', 'mk', 'wx', 'wy', 'ww', 'wh'] as const;

const parsers: { readonly [T in ParameterType]: (text: string) => Values[T] | undefined } = {
  int: parseInteger,
  float: parseFloat32,
  string: (text) => text,
  options: parseOptions,
};

const formatters: { readonly [T in ParameterType]: (value: Values[T]) => string } = {
  int: String,
  float: formatFloat32,
  string: (value) => value,
  options: formatOptions,
};

/** Whether a client may set the parameter of this name; unknown names are ignored. */
export const isSettable = (name: string): name is ParameterName =>
  Object.hasOwn(parameters, name) && parameters[name as ParameterName].scope !== 'i';

/** The names that a client may set, in the order of the table. */
export const settableNames = (Object.keys(parameters) as ParameterName[]).filter(isSettable);

/** The value of every parameter when a request has none. */
export const defaultValues = Object.fromEntries(
  parameterNames.map((name) => [name, parameters[name].default]),
) as ParameterValues;

/** Reads one value; undefined where it does not parse, so that the default stays. */
export function parseValue(name: ParameterName, text: string): ParameterValues[ParameterName] | undefined {
  return parsers[parameters[name].type](text);
}

/** Prints one value as the info object does. */
export function formatValue(name: ParameterName, value: ParameterValues[ParameterName]): string {
  const format = formatters[parameters[name].type] as (value: ParameterValues[ParameterName]) => string;
  return format(value);
}

/**
 * Reads a raw query string (without its `?`) into a value for every parameter. Numbers that are empty or do not parse,
 * unknown names and internal parameters change nothing. Throws ImageError `bad-request` for more than 100 parameters.
 */
export function parseQuery(query: string): ParameterValues {
  if (query === '') return defaultValues;
  // The defaults are inherited instead of copied, since this runs for every request.
  const values: Partial<Record<ParameterName, ParameterValues[ParameterName]>> = Object.create(defaultValues);
  for (const [name, text] of queryPairs(query, positionalNames)) {
    if (!isSettable(name)) continue;
    const value = parseValue(name, text);
    if (value !== undefined) values[name] = value;
  }
  return values as ParameterValues;
}
