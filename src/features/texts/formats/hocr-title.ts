/** The properties in the title of an hOCR element (http://kba.cloud/hocr-spec/1.2/). */
import type { Rect } from '../../../core/image/model/geometry.ts';
import { numberOf } from './page-builder.ts';

/** No title is longer, in UTF-16 code units; what follows is not read. */
const maxTitleLength = 10_000;

export type Properties = ReadonlyMap<string, string>;

/** `bbox 0 0 10 10; image "a;b.png"`: names and values; quotation marks protect semicolons. */
export function propertiesOf(title: string | undefined): Properties {
  const properties = new Map<string, string>();
  for (const [, name, value] of (title ?? '')
    .slice(0, maxTitleLength)
    .matchAll(/([a-z_]+)((?:\s+(?:"[^"]*"|'[^']*'|[^;"']+))*)\s*(?:;|$)/g)) {
    if (name !== undefined && !properties.has(name)) properties.set(name, value?.trim() ?? '');
  }
  return properties;
}

/** `x0 y0 x1 y1` as a rectangle; undefined where it has no area. */
export function boxOf(properties: Properties): Rect | undefined {
  const [x, y, right, bottom] = (properties.get('bbox') ?? '').split(/\s+/).map(numberOf);
  if (x === undefined || y === undefined || right === undefined || bottom === undefined) return undefined;
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : undefined;
}

/** A value without its quotation marks. */
export const unquoted = (value: string): string => /^(["'])([\s\S]*)\1$/.exec(value)?.[2] ?? value;
