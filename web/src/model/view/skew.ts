/** By how many degrees the lines of a text slope, found by the angle at which they are most distinct from the gaps between them. */

interface GrayPicture {
  readonly width: number;
  readonly height: number;
  /** 0 to 255, row by row. */
  readonly tones: Uint8ClampedArray;
}

/** Degrees; more is no slip of a scanner but another orientation. */
const largest = 12;

/** How much more distinct lines must be at their angle than at others. */
const distinct = 1.5;

/** How much rows differ from those beside them, where rows slope by an angle. */
function distinctness({ width, height, tones }: GrayPicture, degrees: number): number {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const shift = Math.ceil(Math.abs(slope) * width);
  const sums = new Float64Array(height + 2 * shift + 1);
  const counts = new Float64Array(sums.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const row = Math.round(y - slope * x) + shift;
      sums[row] = (sums[row] ?? 0) + (tones[y * width + x] ?? 0);
      counts[row] = (counts[row] ?? 0) + 1;
    }
  }
  let [total, rows] = [0, 0];
  for (let row = 1; row < sums.length; row += 1) {
    const [count, before] = [counts[row] ?? 0, counts[row - 1] ?? 0];
    // Rows at the corners are short.
    if (Math.min(count, before) < width / 2) continue;
    total += ((sums[row] ?? 0) / count - (sums[row - 1] ?? 0) / before) ** 2;
    rows += 1;
  }
  return rows === 0 ? 0 : total / rows;
}

const range = (from: number, to: number, step: number): readonly number[] =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) => from + index * step);

/** Degrees clockwise, to a tenth; undefined where no lines are distinct. */
export function skewOf(picture: GrayPicture): number | undefined {
  const scored = (angles: readonly number[]) =>
    angles
      .map((angle) => ({ angle, score: distinctness(picture, angle) }))
      .toSorted((one, other) => other.score - one.score);
  const coarse = scored(range(-largest, largest, 0.5));
  const usual = coarse[Math.floor(coarse.length / 2)]?.score ?? 0;
  const [best] = coarse;
  if (best === undefined || best.score === 0 || best.score < distinct * usual) return undefined;
  // The slope lies beyond what was looked for.
  if (Math.abs(best.angle) === largest) return undefined;
  const [finest] = scored(range(best.angle - 0.4, best.angle + 0.4, 0.1));
  return Math.round((finest?.angle ?? best.angle) * 10) / 10 + 0;
}
