/** Where each of the compared images is: in a cell of its own, or over another one. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import type { Arrangement } from '../../model/address/comparison.ts';

type Styles = Readonly<Record<string, string>>;

/** How an image lies over another one. */
export interface Overlaying {
  readonly role: 'lower' | 'upper' | 'hidden';
  /** Styles of the image alone, without its notes. */
  readonly image: Styles;
  /** Styles of its notes. */
  readonly notes: Styles;
  /** Whether the pointer goes through the image to the one below. */
  readonly isPassed: boolean;
}

const percent = (fraction: number): string => `${Math.round(fraction * 10_000) / 100}%`;

/** Cuts off what is on the other side of the edge. */
const cut = (role: 'lower' | 'upper', position: number): Styles => ({
  clipPath: role === 'upper' ? `inset(0 0 0 ${percent(position)})` : `inset(0 ${percent(1 - position)} 0 0)`,
});

function upperStyles({ layout, position }: Arrangement): Styles {
  if (layout === 'slider') return cut('upper', position);
  return layout === 'blend' ? { opacity: String(position) } : { mixBlendMode: 'difference' };
}

/** Undefined where the images are side by side. */
export function overlayingOf(arrangement: Arrangement, index: number, active: number): Overlaying | undefined {
  const { layout, pair, position } = arrangement;
  if (layout === 'beside') return undefined;
  if (!pair.includes(index)) return { role: 'hidden', image: {}, notes: {}, isPassed: true };
  const role = pair[1] === index ? 'upper' : 'lower';
  return {
    role,
    image: role === 'upper' ? upperStyles(arrangement) : {},
    notes: layout === 'slider' ? cut(role, position) : {},
    isPassed: layout !== 'slider' && active !== index,
  };
}

/** The height of the head of a pane, in CSS pixels. */
const headHeight = 40;

/** How much larger images beside each other must be, in a window that is higher than wide, than above each other. */
const upright = 1.15;

/**
 * The number of columns in which the images are largest in a window. `shapes` are widths divided by heights, one for
 * each cell.
 */
export function columnsFor(shapes: readonly number[], window: Size): number {
  const scoreOf = (columns: number): number => {
    const cellWidth = window.width / columns;
    const cellHeight = Math.max(1, window.height / Math.ceil(shapes.length / columns) - headHeight);
    const areas = shapes.map((shape) => Math.min(cellWidth, cellHeight * shape) ** 2 / shape);
    const bias = columns === 1 && window.height > window.width ? upright ** 2 : 1;
    return areas.reduce((sum, area) => sum + area, 0) * bias;
  };
  const counts = shapes.map((_, at) => at + 1);
  return counts.reduce((best, columns) => (scoreOf(columns) > scoreOf(best) ? columns : best), 1);
}

/** The grid area of the cell at an index. */
export const areaOf = (index: number, columns: number): string =>
  `${Math.floor(index / columns) + 1} / ${(index % columns) + 1}`;
