/** Shows the results: a line on the terminal as each is known, and the whole as a page. */
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { busyCores } from './statistics.mjs';

const resultsFile = fileURLToPath(new URL('../results.md', import.meta.url));

const formatRate = (rate) => (rate < 100 ? rate.toFixed(1) : Math.round(rate).toLocaleString('en'));
/** Processor time in the unit that fits. */
function formatCpu(ms) {
  if (Number.isNaN(ms)) return '–';
  return ms < 1 ? `${Math.round(ms * 1000)} µs` : `${ms.toFixed(1)} ms`;
}

const formatRatio = (ratio) => (Number.isNaN(ratio) ? '–' : ratio.toFixed(2));

/** The columns: title, width on the terminal, and what a row says there. */
const columns = [
  { title: 'what', width: 26, left: true, cell: (row) => row.what },
  { title: 'at once', width: 7, cell: (row) => String(row.at) },
  { title: 'Lectern', width: 8, cell: (row) => formatRate(row.lectern) },
  { title: 'bare', width: 8, cell: (row) => formatRate(row.bare) },
  { title: 'unit', width: 10, left: true, cell: (row) => row.unit },
  { title: 'ratio', width: 6, cell: (row) => formatRatio(row.ratio) },
  { title: 'aim', width: 5, cell: (row) => formatRatio(row.aim) },
  { title: 'reached', width: 7, left: true, cell: (row) => (row.ratio >= row.aim ? 'yes' : 'no') },
  { title: 'middle half', width: 11, cell: ({ quartiles: q }) => `${formatRatio(q.lower)}–${formatRatio(q.upper)}` },
  { title: 'all', width: 10, cell: (row) => `${formatRatio(row.lowest)}–${formatRatio(row.highest)}` },
  { title: 'CPU Lectern', width: 11, cell: (row) => formatCpu(row.cpu.lectern) },
  { title: 'CPU bare', width: 8, cell: (row) => formatCpu(row.cpu.bare) },
  { title: 'CPU ratio', width: 9, cell: (row) => formatRatio(row.cpu.ratio) },
  { title: 'rounds', width: 6, cell: (row) => String(row.rounds) },
];

const line = (textOf) =>
  columns
    .map((column) => textOf(column)[column.left ? 'padEnd' : 'padStart'](column.width))
    .join('  ')
    .trimEnd();

/** The head of the table. */
export const tableHead = () => `${line(({ title }) => title)}\n${line(({ width }) => '─'.repeat(width))}`;
/** One row of the table. */
export const tableRow = (row) => line(({ cell }) => cell(row));

/**
 * A rate needs its processor time: where that exceeds the cores there are, the row is not to be believed. The bare HTTP
 * server has one thread; all others also work on libuv's.
 */
export function doubtsAbout(row) {
  return ['lectern', 'bare'].flatMap((side) => {
    const most = side === 'bare' && row.unit === 'requests/s' ? 1 : availableParallelism();
    const cores = busyCores(row[side], row.cpu[side]);
    return cores > most * 1.2
      ? [`Doubtful: ${row.what}, ${row.at} at once, ${side}: its rate would need ${cores.toFixed(1)} busy cores.`]
      : [];
  });
}

/** Writes bench/results.md. */
export async function writeResults({ rows, facts, quick }) {
  const page = `# Results of the benchmark

Written by \`npm run bench${quick ? ' -- --quick' : ''}\` on ${new Date().toISOString().slice(0, 10)}; README.md says how to read it. Trust the ratios, not the rates.

${facts.map((fact) => `- ${fact}`).join('\n')}

\`\`\`text
${[tableHead(), ...rows.map(tableRow), ...rows.flatMap(doubtsAbout)].join('\n')}
\`\`\`
`;
  await writeFile(resultsFile, page);
}
