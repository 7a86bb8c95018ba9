/** Redactions: regions of an image that only callers with some role may see, until a date. */
import { intersect, outward, type Rect, type Size } from './geometry.ts';
import { endOfUntil } from './until.ts';

/** A region as it is written: pixels or percent of the upright image at its full size, or all of it. */
export type RedactedRegion = 'full' | { readonly unit: 'pixels' | 'percent'; readonly rect: Rect };

export interface Redaction {
  readonly region: RedactedRegion;
  /** Whoever has one of these sees what is below; nobody where there is none. */
  readonly roles: readonly string[];
  /** When it ends, in ms since 1970; absent where it never does. */
  readonly endMs?: number;
  /** The page of the file, from 1; absent for all of them. */
  readonly page?: number;
}

/** What files say of an image; `unreadable` where something may be covered, and nobody knows what. */
export type Redactions = readonly Redaction[] | 'unreadable';

/** The redactions of several files together. */
export function joinRedactions(all: readonly (Redactions | undefined)[]): Redactions | undefined {
  const said = all.filter((one) => one !== undefined);
  const lists = said.filter((one) => one !== 'unreadable');
  if (lists.length < said.length) return 'unreadable';
  return said.length === 0 ? undefined : lists.flat();
}

/** Texts of parsers that find a fault: a sentence without its subject. */
export type Parsed<Value> = { readonly value: Value } | { readonly problem: string };

const decimal = String.raw`(\d{1,9}(?:\.\d{1,9})?)`;
const percentForm = new RegExp(`^pct:${[decimal, decimal, decimal, decimal].join(',')}$`);
const pixelForm = /^(\d{1,9}),(\d{1,9}),(\d{1,9}),(\d{1,9})$/;

/** Parses a region as the IIIF Image API writes it (3.0, section 4.1): `full`, `x,y,w,h` or `pct:x,y,w,h`. */
export function parseRedactedRegion(text: string): Parsed<RedactedRegion> {
  if (text === 'full') return { value: 'full' };
  const compact = text.replace(/\s*,\s*/g, ',');
  const unit = compact.startsWith('pct:') ? 'percent' : 'pixels';
  const numbers = (unit === 'percent' ? percentForm : pixelForm).exec(compact)?.slice(1).map(Number);
  if (numbers === undefined) return { problem: 'must be x,y,w,h in pixels, pct:x,y,w,h, or full' };
  const [x = 0, y = 0, width = 0, height = 0] = numbers;
  if (width === 0 || height === 0) return { problem: 'has no width or no height' };
  if (unit === 'percent' && (x >= 100 || y >= 100)) return { problem: 'lies beside the image' };
  return { value: { unit, rect: { x, y, width, height } } };
}

/** A redaction as it is written, in texts. */
export interface WrittenRedaction {
  readonly region: string | undefined;
  readonly roles: readonly string[];
  readonly until: string | undefined;
  readonly page: string | undefined;
}

/** The members that a redaction can have. */
export const redactionMembers = ['region', 'roles', 'until', 'page'] as const;

/** Parses a redaction; what is wrong is a whole sentence. */
export function parseRedaction({ region, roles, until, page }: WrittenRedaction): Parsed<Redaction> {
  if (region === undefined) return { problem: 'This redaction has no region; write x,y,w,h, pct:x,y,w,h, or full.' };
  const where = parseRedactedRegion(region);
  if ('problem' in where) return { problem: `The region “${region}” ${where.problem}.` };
  const endMs = until === undefined ? undefined : endOfUntil(until);
  if (until !== undefined && endMs === undefined)
    return { problem: `The end “${until}” must be a year, a month or a day, such as 2061 or 2061-12-31.` };
  if (page !== undefined && !/^[1-9]\d{0,8}$/.test(page))
    return { problem: `The page “${page}” must be a number, which counts the pages of the file from 1.` };
  const names = roles.flatMap((text) => text.split(',')).map((role) => role.trim());
  return {
    value: {
      region: where.value,
      roles: names.filter((role) => role !== ''),
      ...(endMs !== undefined && { endMs }),
      ...(page !== undefined && { page: Number(page) }),
    },
  };
}

/** Whether a text may speak of redactions, also in characters that YAML or UTF-16 write in another way. */
export const mentionsRedactions = (text: string): boolean =>
  /redact|\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})/i.test(text.replaceAll('\0', ''));

/** Whether a redaction covers something at a time. */
export const isActive = ({ endMs }: Redaction, nowMs: number): boolean => endMs === undefined || nowMs < endMs;

/** The rectangle of an upright image of this size that is covered, on whole pixels; undefined where it lies beside the image. */
export function redactedRect({ region }: Redaction, size: Size): Rect | undefined {
  if (region === 'full') return { x: 0, y: 0, ...size };
  const { unit, rect } = region;
  if (unit === 'pixels') return intersect(rect, size);
  const [x, y] = [size.width / 100, size.height / 100];
  const inPixels = { x: rect.x * x, y: rect.y * y, width: rect.width * x, height: rect.height * y };
  return intersect(outward(inPixels), size);
}

/** Whether two rectangles share an area. */
export const overlap = (one: Rect, other: Rect): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;
