/** Reads what the page around the viewer asks of it. What has not the shape of a message is none. */
import { type ColorOperator, operatorMeanings, type Triple } from '../../../src/image/model/color.ts';
import { messageVersion, type PlainCommand, plainCommands } from './frame-messages.ts';
import { isObject, type JsonObject } from './json-value.ts';
import { parsePairs } from './query-pairs.ts';
import { cleanPath } from './room-path.ts';
import { normalizedDegrees, parseView, viewPairs } from './view-query.ts';
import type { Mark, MarkedRegion, Rect, ScaleMode, ViewColor, ViewState } from './view-state.ts';

export type FrameCommand =
  /** The view that the one before becomes. */
  | { readonly type: 'show'; readonly change: (view: ViewState) => ViewState }
  | { readonly type: 'page'; readonly at: number }
  | { readonly type: 'open'; readonly path: string }
  | { readonly type: 'get'; readonly id: string | number }
  | { readonly type: PlainCommand };

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const areNumbers = (value: unknown, names: readonly string[]): value is JsonObject =>
  isObject(value) && names.every((name) => isNumber(value[name]));

/** The value where it has the shape that is asked for. */
const valueIf = <T>(value: unknown, is: (value: unknown) => value is T): T | undefined => (is(value) ? value : undefined);

const isRect = (value: unknown): value is Rect =>
  areNumbers(value, ['x', 'y', 'width', 'height']) && Number(value['width']) > 0 && Number(value['height']) > 0;
const isTriple = (value: unknown): value is Triple =>
  Array.isArray(value) && value.length === 3 && value.every(isNumber);
const isMode = (value: unknown): value is ScaleMode => value === 'fit' || value === 'pixels' || value === 'true-size';
const isOperation = (value: unknown): value is ColorOperator | '' =>
  value === '' || (typeof value === 'string' && Object.hasOwn(operatorMeanings, value));

/** So many marks or rectangles a message can bring: far more than anybody sets, and few enough to draw. */
const maxListLength = 10_000;

const isShortList = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length <= maxListLength;

const textIn = (place: JsonObject): { readonly text?: string } =>
  typeof place['text'] === 'string' ? { text: place['text'] } : {};

function marksOf(value: unknown): readonly Mark[] | undefined {
  if (!isShortList(value)) return undefined;
  return value.flatMap((place): Mark[] =>
    areNumbers(place, ['x', 'y']) ? [{ x: Number(place['x']), y: Number(place['y']), ...textIn(place) }] : [],
  );
}

function rectanglesOf(value: unknown): readonly MarkedRegion[] | undefined {
  if (!isShortList(value)) return undefined;
  return value.flatMap((place): MarkedRegion[] =>
    isRect(place) ? [{ ...regionOf(place), ...textIn({ ...place }) }] : [],
  );
}

/** Nothing but what belongs to it. */
const regionOf = ({ x, y, width, height }: Rect): Rect => ({ x, y, width, height });

function mirrorOf(value: unknown, before: ViewState['mirror']): ViewState['mirror'] {
  if (!isObject(value)) return before;
  return {
    horizontal: valueIf(value['horizontal'], isBoolean) ?? before.horizontal,
    vertical: valueIf(value['vertical'], isBoolean) ?? before.vertical,
  };
}

function colorOf(value: unknown, before: ViewColor): ViewColor {
  if (!isObject(value)) return before;
  return {
    brightness: valueIf(value['brightness'], isNumber) ?? before.brightness,
    contrast: valueIf(value['contrast'], isNumber) ?? before.contrast,
    multiply: valueIf(value['multiply'], isTriple) ?? before.multiply,
    add: valueIf(value['add'], isTriple) ?? before.add,
    operation: valueIf(value['operation'], isOperation) ?? before.operation,
  };
}

/** A region is shown as a whole, unless the message says how it is scaled. */
function regionAndMode(view: JsonObject, before: ViewState): Pick<ViewState, 'region' | 'mode'> {
  const region = valueIf(view['region'], isRect);
  const mode = valueIf(view['mode'], isMode) ?? (region === undefined ? before.mode : 'fit');
  return { region: region === undefined ? before.region : regionOf(region), mode };
}

/** A view with the parts that a message says; what is missing or no such thing stays. */
const withParts =
  (view: JsonObject) =>
  (before: ViewState): ViewState => ({
    ...before,
    ...regionAndMode(view, before),
    rotation: normalizedDegrees(valueIf(view['rotation'], isNumber) ?? before.rotation),
    mirror: mirrorOf(view['mirror'], before.mirror),
    color: colorOf(view['color'], before.color),
    marks: marksOf(view['marks']) ?? before.marks,
    rectangles: rectanglesOf(view['rectangles']) ?? before.rectangles,
    twoPages: valueIf(view['twoPages'], isBoolean) ?? before.twoPages,
  });

const regionNames = ['wx', 'wy', 'ww', 'wh', 'mo'] as const;

/**
 * A view with parameters in digilib's names; an empty one goes back to its default. What no parameter names stays as it
 * is, with all decimals and texts, which addresses have no room for.
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
  return isNumber(at) && Number.isInteger(at) && at >= 1 ? { type: 'page', at } : undefined;
}

/** The command that a message gives; undefined where it gives none. */
export function parseCommand(message: unknown): FrameCommand | undefined {
  if (!isObject(message) || message['lectern'] !== messageVersion) return undefined;
  const { type, id } = message;
  if (type === 'show') return showCommand(message);
  if (type === 'page') return pageCommand(message);
  if (type === 'get') return typeof id === 'string' || isNumber(id) ? { type, id } : undefined;
  const plain = plainCommands.find((name) => name === type);
  return plain && { type: plain };
}
