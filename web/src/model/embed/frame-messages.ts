/** Messages between the embedded viewer and the page around its frame. */

import { type ColorOperator, operatorMeanings, type Triple } from '../../../../src/core/image/model/color.ts';
import { cleanPath, parsePairs } from '../address/address-text.ts';
import { normalizedDegrees, parseView, viewPairs } from '../address/view-query.ts';
import { isFiniteNumber, isObject, type JsonObject } from '../json-value.ts';
import type { Mark, MarkedRegion, Rect, ScaleMode, ViewColor, ViewState } from '../view-state.ts';

/** All tools; pages and zoom alone; or the image alone. */
const toolbars = ['full', 'zoom', 'none'] as const;

/** The wheel scrolls the page around the frame, and zooms with Ctrl; or it always zooms. */
const wheels = ['scroll', 'zoom'] as const;

interface EmbedOptions {
  readonly toolbar: (typeof toolbars)[number];
  readonly wheel: (typeof wheels)[number];
}

export const defaultEmbedOptions: EmbedOptions = { toolbar: 'full', wheel: 'scroll' };

/** The attributes of the element that set them. */
export const embedOptionNames: readonly string[] = Object.keys(defaultEmbedOptions);

const valueIn = <T extends string>(values: readonly T[], text: unknown, byDefault: T): T =>
  values.find((value) => value === text) ?? byDefault;

/** Options from texts; what is missing or unknown is as before. */
export const withOptions = (
  before: EmbedOptions,
  { toolbar, wheel }: Readonly<Record<string, unknown>>,
): EmbedOptions => ({
  toolbar: valueIn(toolbars, toolbar, before.toolbar),
  wheel: valueIn(wheels, wheel, before.wheel),
});

/** Parses the fragment of a frame's address, without its `#`: `toolbar=none&wheel=zoom`. */
export const parseEmbedOptions = (fragment: string): EmbedOptions =>
  withOptions(defaultEmbedOptions, Object.fromEntries(new URLSearchParams(fragment)));

/** Every message has `lectern: 1`; messages with another number are ignored. */
export const messageVersion = 1;

/** The parts of a view that are posted. Texts of marks are private to the reader and are not. */
export interface OutgoingView
  extends Pick<
    ViewState,
    'region' | 'rotation' | 'mirror' | 'mode' | 'color' | 'marks' | 'rectangles' | 'twoPages' | 'shifted'
  > {
  /** The view's address in the reading room. */
  readonly address: string;
  readonly path: string;
}

export interface OutgoingPage {
  /** Its position in the folder, from 1. */
  readonly at: number;
  readonly total: number;
  readonly label: string;
  readonly path: string;
}

/** The data from which the frame can be given the aspect ratio of the image. */
export interface OutgoingSize {
  /** Pixels of the image. */
  readonly width: number;
  readonly height: number;
  /** Width divided by height after rotation. */
  readonly ratio: number;
  /** CSS pixels of the frame that the bars take. */
  readonly bars: { readonly width: number; readonly height: number };
}

/** The complete state; null for what has not loaded yet. */
export interface OutgoingState {
  readonly view: OutgoingView | null;
  readonly page: OutgoingPage | null;
  readonly size: OutgoingSize | null;
}

export type FromViewer =
  | { readonly type: 'ready' }
  | { readonly type: 'view'; readonly view: OutgoingView }
  | { readonly type: 'page'; readonly page: OutgoingPage }
  | { readonly type: 'size'; readonly size: OutgoingSize }
  | { readonly type: 'problem'; readonly problem: string }
  | ({ readonly type: 'answer'; readonly id: string | number } & OutgoingState);

const plainCommands = ['next', 'previous', 'reset', 'zoomIn', 'zoomOut', 'whole'] as const;
export type PlainCommand = (typeof plainCommands)[number];

/** Parses the messages that the embedding page sends to the viewer. Malformed parts of a message are ignored. */
export type FrameCommand =
  /** `change` computes the new view from the current one. */
  | { readonly type: 'show'; readonly change: (view: ViewState) => ViewState }
  | { readonly type: 'page'; readonly at: number }
  | { readonly type: 'open'; readonly path: string }
  | { readonly type: 'get'; readonly id: string | number }
  | { readonly type: 'options'; readonly change: (options: EmbedOptions) => EmbedOptions }
  | { readonly type: PlainCommand };

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const areNumbers = (value: unknown, names: readonly string[]): value is JsonObject =>
  isObject(value) && names.every((name) => isFiniteNumber(value[name]));

const valueIf = <T>(value: unknown, is: (value: unknown) => value is T): T | undefined =>
  is(value) ? value : undefined;

const isRect = (value: unknown): value is Rect =>
  areNumbers(value, ['x', 'y', 'width', 'height']) && Number(value['width']) > 0 && Number(value['height']) > 0;
const isTriple = (value: unknown): value is Triple =>
  Array.isArray(value) && value.length === 3 && value.every(isFiniteNumber);
const isMode = (value: unknown): value is ScaleMode => value === 'fit' || value === 'pixels' || value === 'true-size';
const isOperation = (value: unknown): value is ColorOperator | '' =>
  value === '' || (typeof value === 'string' && Object.hasOwn(operatorMeanings, value));

/** Maximum number of marks or rectangles in a message: few enough to draw. */
const maxListLength = 10_000;

const isShortList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length <= maxListLength;

const textIn = (item: JsonObject): { readonly text?: string } =>
  typeof item['text'] === 'string' ? { text: item['text'] } : {};

function marksOf(value: unknown): readonly Mark[] | undefined {
  if (!isShortList(value)) return undefined;
  return value.flatMap((item): Mark[] =>
    areNumbers(item, ['x', 'y']) ? [{ x: Number(item['x']), y: Number(item['y']), ...textIn(item) }] : [],
  );
}

function rectanglesOf(value: unknown): readonly MarkedRegion[] | undefined {
  if (!isShortList(value)) return undefined;
  return value.flatMap((item): MarkedRegion[] => (isRect(item) ? [{ ...regionOf(item), ...textIn({ ...item }) }] : []));
}

/** Without other properties of the message. */
const regionOf = ({ x, y, width, height }: Rect): Rect => ({ x, y, width, height });

type Checks<T> = { readonly [Name in keyof T]: (value: unknown) => value is T[Name] };

/** What was there before, with the members of a value that are well-formed. */
function withMembers<T extends object>(before: T, value: unknown, checks: Checks<T>): T {
  if (!isObject(value)) return before;
  const names = Object.keys(checks) as (keyof T & string)[];
  return {
    ...before,
    ...Object.fromEntries(names.filter((name) => checks[name](value[name])).map((name) => [name, value[name]])),
  };
}

const mirrorChecks: Checks<ViewState['mirror']> = { horizontal: isBoolean, vertical: isBoolean };

const colorChecks: Checks<ViewColor> = {
  brightness: isFiniteNumber,
  contrast: isFiniteNumber,
  multiply: isTriple,
  add: isTriple,
  operation: isOperation,
};

/** A region without a mode is fitted into the window. */
function regionAndMode(view: JsonObject, before: ViewState): Pick<ViewState, 'region' | 'mode'> {
  const region = valueIf(view['region'], isRect);
  const mode = valueIf(view['mode'], isMode) ?? (region === undefined ? before.mode : 'fit');
  return { region: region === undefined ? before.region : regionOf(region), mode };
}

/** Replaces the parts of a view that a message contains; missing and malformed parts stay. */
const withParts =
  (view: JsonObject) =>
  (before: ViewState): ViewState => ({
    ...before,
    ...regionAndMode(view, before),
    rotation: normalizedDegrees(valueIf(view['rotation'], isFiniteNumber) ?? before.rotation),
    mirror: withMembers(before.mirror, view['mirror'], mirrorChecks),
    color: withMembers(before.color, view['color'], colorChecks),
    marks: marksOf(view['marks']) ?? before.marks,
    rectangles: rectanglesOf(view['rectangles']) ?? before.rectangles,
    twoPages: valueIf(view['twoPages'], isBoolean) ?? before.twoPages,
    shifted: valueIf(view['shifted'], isBoolean) ?? before.shifted,
  });

const regionNames = ['wx', 'wy', 'ww', 'wh', 'mo'] as const;

/**
 * Applies digilib parameters to a view; an empty one resets to its default. All else stays as it is, with all decimals
 * and texts, which addresses do not contain.
 */
const withParameters =
  (query: string) =>
  (before: ViewState): ViewState => {
    const given = new Map(parsePairs(query));
    const { region, mode, marks, rectangles, ...rest } = parseView(before.fn, [
      ...new Map([...viewPairs(before), ...given]),
    ]);
    return {
      ...before,
      ...rest,
      pn: before.pn,
      ...(regionNames.some((name) => given.has(name)) ? { region, mode } : {}),
      ...(given.has('mk') ? { marks } : {}),
      ...(given.has('rg') ? { rectangles } : {}),
    };
  };

function showCommand({ view, query }: JsonObject): FrameCommand | undefined {
  if (isObject(view)) return { type: 'show', change: withParts(view) };
  return typeof query === 'string' ? { type: 'show', change: withParameters(query) } : undefined;
}

function pageCommand({ at, path }: JsonObject): FrameCommand | undefined {
  if (typeof path === 'string' && cleanPath(path) !== '') return { type: 'open', path: cleanPath(path) };
  return isFiniteNumber(at) && Number.isInteger(at) && at >= 1 ? { type: 'page', at } : undefined;
}

const optionsCommand = ({ options }: JsonObject): FrameCommand | undefined =>
  isObject(options) ? { type: 'options', change: (before) => withOptions(before, options) } : undefined;

/** The command of a message; undefined if it is none. */
export function parseCommand(message: unknown): FrameCommand | undefined {
  if (!isObject(message) || message['lectern'] !== messageVersion) return undefined;
  const { type, id } = message;
  if (type === 'show') return showCommand(message);
  if (type === 'page') return pageCommand(message);
  if (type === 'options') return optionsCommand(message);
  if (type === 'get') return typeof id === 'string' || isFiniteNumber(id) ? { type, id } : undefined;
  const plain = plainCommands.find((name) => name === type);
  return plain && { type: plain };
}
