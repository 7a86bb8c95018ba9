/** How much of a sweep runs: all of it in `npm run test:all`, a sample in `npm test`. Tests that call these have the tag `sampled`. */

/** Whether sweeps run as a whole. */
export const isWhole = process.env['LECTERN_TEST_ALL'] === 'true';

/** So many of the rows, evenly spread; the first is among them. */
export function sampleOf<Row>(rows: readonly Row[], count: number): Row[] {
  if (isWhole || rows.length <= count) return [...rows];
  return Array.from({ length: count }, (_, index) => rows[Math.floor((index * rows.length) / count)]) as Row[];
}

/** The rows whose turn it is in a column, where only one of so many columns has each row. */
export const shareOf = <Row>(rows: readonly Row[], column: number, columns: number): Row[] =>
  rows.filter((_, index) => isWhole || index % columns === column);

/** So many random inputs, or a tenth of them, yet at least 20. */
export const runsOf = (runs: number): number => (isWhole ? runs : Math.min(runs, Math.max(20, Math.ceil(runs / 10))));
