/** Points and spans of time on a canvas: parsed from fragments, selectors and parameters, and written. */
import { isFiniteNumber, listOf, memberOf, textOf } from '../json-value.ts';

/** In seconds; without an end, to that of the canvas. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number | undefined;
}

/** A day: what is longer is a fault. */
const longest = 86_400;

const isTime = (seconds: number): boolean => Number.isFinite(seconds) && seconds >= 0 && seconds <= longest;

/** `83.5`, `1:23.5` or `1:02:03` as seconds (Media Fragments 1.0, section 4.2.1); undefined for anything else. */
export function parseTime(text: string): number | undefined {
  const parts = text.trim().split(':');
  if (parts.length > 3 || !parts.every((part) => /^\d{1,6}(?:\.\d{0,9})?$/.test(part))) return undefined;
  const seconds = parts.reduce((sum, part) => sum * 60 + Number(part), 0);
  return isTime(seconds) ? seconds : undefined;
}

/** For addresses: seconds, to the hundredth. */
export const formatSeconds = (seconds: number): string => String(Math.round(seconds * 100) / 100);

/** For readers: `1:23`, or `1:02:03`. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds + 1e-6));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

const spanForm = /(?:^|[#&?])t=(?:npt:)?([^&#]*)/;

/** What `t=` says in a fragment; undefined where it has none that can be read. */
export function spanIn(fragment: string): TimeSpan | undefined {
  const [, list] = spanForm.exec(fragment) ?? [];
  if (list === undefined) return undefined;
  const [start = '', end] = list.split(',');
  const from = start === '' ? 0 : parseTime(start);
  const to = end === undefined || end === '' ? undefined : parseTime(end);
  return from === undefined || (to !== undefined && to <= from) ? undefined : { from, to };
}

const timeOf = (selector: unknown): number | undefined => {
  const time = memberOf(selector, 't') ?? memberOf(selector, 'instant');
  return isFiniteNumber(time) && isTime(time) ? time : undefined;
};

function spanOfSelector(selector: unknown): TimeSpan | undefined {
  if (typeof selector === 'string') return spanIn(selector);
  const point = timeOf(selector);
  if (point !== undefined) return { from: point, to: undefined };
  const from = timeOf(memberOf(selector, 'startSelector'));
  if (from !== undefined) return { from, to: timeOf(memberOf(selector, 'endSelector')) };
  return spanIn(textOf(memberOf(selector, 'value')));
}

/** The span that a target, a part of a canvas or a file names, by its fragment or by its selectors. */
export function spanOf(target: unknown): TimeSpan | undefined {
  const [first] = listOf(target);
  const selectors = listOf(memberOf(first, 'selector'));
  const id = typeof first === 'string' ? first : textOf(memberOf(first, 'id') ?? memberOf(first, '@id'));
  const source = memberOf(first, 'source');
  const ids = [id, typeof source === 'string' ? source : textOf(memberOf(source, 'id'))];
  return [...selectors.map(spanOfSelector), ...ids.map((one) => spanIn(one.replace(/^[^#]*/, '')))].find(
    (span) => span !== undefined,
  );
}
