// Numbers and tables as text.

export const count = (value) => Math.round(value).toLocaleString('en');
export const inMs = (ms) => (ms === undefined ? '–' : ms < 10 ? ms.toFixed(1) : count(ms));
export const percent = (part) => `${Math.round(part * 100)} %`;
export const statusesOf = (statuses) =>
  Object.entries(statuses)
    .map(([status, number]) => `${count(number)} × ${status}`)
    .join(', ') || '0';

/** Lines of cells as columns; the first is aligned to the left. */
export function columns(lines) {
  const widths = lines[0].map((_, at) => Math.max(...lines.map((line) => String(line[at]).length)));
  const row = (line) => line.map((cell, at) => String(cell)[at === 0 ? 'padEnd' : 'padStart'](widths[at])).join('  ');
  return lines.map(row).join('\n');
}
