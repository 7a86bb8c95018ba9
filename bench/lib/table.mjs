/** Formats tables as text with columns of fixed width, so that each line can be printed as soon as it is measured. */

/** A table of columns with title, width and `cell`, which formats a row’s value; `left` aligns to the left. */
export function tableOf(columns) {
  const line = (textOf) =>
    columns
      .map((column) => textOf(column)[column.left ? 'padEnd' : 'padStart'](column.width))
      .join('  ')
      .trimEnd();
  return {
    head: `${line(({ title }) => title)}\n${line(({ width }) => '─'.repeat(width))}`,
    row: (row) => line(({ cell }) => cell(row)),
  };
}

/** A number with its significant digits. */
export function formatCount(count) {
  if (count === undefined) return '–';
  return count < 100 ? count.toFixed(1) : Math.round(count).toLocaleString('en');
}

/** A time in the unit that fits. */
export function formatMs(ms) {
  if (!Number.isFinite(ms)) return '–';
  if (ms < 1) return `${Math.round(ms * 1000)} µs`;
  return ms < 1000 ? `${ms.toFixed(ms < 100 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** A ratio with two or three significant digits. */
export function formatRatio(ratio) {
  if (ratio === undefined) return '–';
  return ratio.toFixed(ratio >= 10 ? 1 : ratio < 0.1 ? 3 : 2);
}

/** Bytes as megabytes of 10^6. */
export const formatMb = (bytes) => `${(bytes / 1e6).toFixed(bytes < 10e6 ? 1 : 0)} MB`;
