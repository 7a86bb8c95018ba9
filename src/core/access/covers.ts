/** What lies on an image as its caller sees it: the redactions that apply to the caller now, and the watermark of the tier. */
import { createHash } from 'node:crypto';
import type { Covers, Watermark } from '../image/model/covers.ts';
import type { Rect } from '../image/model/geometry.ts';
import { type ImageSet, storedHighest } from '../image/model/image-set.ts';
import { isActive, type Redaction, type Redactions, redactedRect } from '../image/model/redaction.ts';

/** An image with more of them is closed: each is drawn on each tile. */
const maxRedactions = 500;

/** The redactions of an image file, of any of its pages, that have not ended. */
export interface ActiveRedactions {
  readonly all: readonly Redaction[];
  /** When the first of them ends, in ms since 1970. */
  readonly untilMs: number;
}

const nothingActive: ActiveRedactions = { all: [], untilMs: Number.POSITIVE_INFINITY };

/** Those that cover something now; undefined where nobody knows what is covered. */
export function activeRedactions(redactions: Redactions | undefined, nowMs: number): ActiveRedactions | undefined {
  if (redactions === 'unreadable') return undefined;
  if (redactions === undefined) return nothingActive;
  const all = redactions.filter((one) => isActive(one, nowMs));
  const ends = all.flatMap(({ endMs }) => endMs ?? []);
  return { all, untilMs: ends.reduce((first, end) => Math.min(first, end), Number.POSITIVE_INFINITY) };
}

/** Those of some redactions below which a caller with these roles does not see. */
export const coveringFor = (all: readonly Redaction[], roles: ReadonlySet<string>): readonly Redaction[] =>
  all.filter((one) => !one.roles.some((role) => roles.has(role)));

const textOf = ({ x, y, width, height }: Rect): string => [x, y, width, height].join();

const keyOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);

function keyOfCovers(redactions: readonly Rect[], watermark: Watermark | undefined): string {
  const mark = watermark && { ...watermark, mark: watermark.mark.hash };
  return keyOf([redactions.map(textOf), mark]);
}

/** Changes when something else of a file is covered by some redactions; empty where there are none. */
export const keyOfRedactions = (all: readonly Redaction[]): string =>
  all.length === 0 ? '' : keyOf(all.map(({ region, page = 0 }) => JSON.stringify([region, page])).sort());

/**
 * What lies on the image, of redactions of any page of its file. `wrong` where one lies beside the image or is of a page that there is not, so
 * that nobody knows what is meant.
 */
export function coversOf(
  image: Pick<ImageSet, 'page' | 'pageCount' | 'resolutions'>,
  redactions: readonly Redaction[],
  watermark: Watermark | undefined,
): Covers | 'wrong' | undefined {
  if (redactions.length === 0 && watermark === undefined) return undefined;
  const { width, height } = storedHighest(image);
  const own = redactions.filter(({ page = image.page }) => page === image.page);
  const placed = own.flatMap((one) => redactedRect(one, { width, height }) ?? []);
  if (placed.length < own.length || redactions.some(({ page = 1 }) => page > image.pageCount)) return 'wrong';
  // The same is said at several paths of a file.
  const rects = [...new Map(placed.map((rect) => [textOf(rect), rect])).values()];
  if (rects.length > maxRedactions) return 'wrong';
  const ofOtherPages = own.length < redactions.length;
  return {
    redactions: rects,
    ...(ofOtherPages && { ofOtherPages }),
    ...(watermark && { watermark }),
    key: keyOfCovers(rects, watermark),
  };
}
