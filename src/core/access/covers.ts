/** What lies on an image as its caller sees it: the redactions that apply to the caller now, and the watermark of the tier. */
import { createHash } from 'node:crypto';
import type { Covers, Watermark } from '../image/model/covers.ts';
import type { Rect } from '../image/model/geometry.ts';
import { type ImageSet, storedHighest } from '../image/model/image-set.ts';
import { isActive, type Redaction, type Redactions, redactedRect } from '../image/model/redaction.ts';

/** An image with more of them is closed: each is drawn on each tile. */
const maxRedactions = 500;

/** The redactions of an image that have not ended. */
export interface ActiveRedactions {
  readonly all: readonly Redaction[];
  /** When the first of them ends, in ms since 1970. */
  readonly untilMs: number;
}

/** Those that cover something of a page now; undefined where nobody knows what is covered. */
export function activeRedactions(
  redactions: Redactions | undefined,
  page: number,
  nowMs: number,
): ActiveRedactions | undefined {
  if (redactions === 'unreadable') return undefined;
  const all = (redactions ?? []).filter((one) => isActive(one, page, nowMs));
  const ends = all.flatMap(({ endMs }) => endMs ?? []);
  return { all, untilMs: ends.reduce((first, end) => Math.min(first, end), Number.POSITIVE_INFINITY) };
}

/** Those of some redactions below which a caller with these roles does not see. */
export const coveringFor = (all: readonly Redaction[], roles: ReadonlySet<string>): readonly Redaction[] =>
  all.filter((one) => !one.roles.some((role) => roles.has(role)));

const textOf = ({ x, y, width, height }: Rect): string => [x, y, width, height].join();

function keyOf(redactions: readonly Rect[], watermark: Watermark | undefined): string {
  const mark = watermark && {
    ...watermark,
    mark: watermark.mark.kind === 'picture' ? watermark.mark.hash : { text: watermark.mark.text },
  };
  return createHash('sha256')
    .update(JSON.stringify([redactions.map(textOf), mark]))
    .digest('base64url')
    .slice(0, 22);
}

/** What lies on the image; `wrong` where a redaction lies beside it, so that nobody knows what is meant. */
export function coversOf(
  image: ImageSet,
  redactions: readonly Redaction[],
  watermark: Watermark | undefined,
): Covers | 'wrong' | undefined {
  if (redactions.length === 0 && watermark === undefined) return undefined;
  const { width, height } = storedHighest(image);
  const placed = redactions.flatMap((one) => redactedRect(one, { width, height }) ?? []);
  if (placed.length < redactions.length) return 'wrong';
  // The same is said at several paths of a file.
  const rects = [...new Map(placed.map((rect) => [textOf(rect), rect])).values()];
  if (rects.length > maxRedactions) return 'wrong';
  return { redactions: rects, ...(watermark && { watermark }), key: keyOf(rects, watermark) };
}
