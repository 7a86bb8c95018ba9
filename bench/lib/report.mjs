/** Shows the results: a line on the terminal as each is known, and the whole as a page. */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { formatCount, formatMb, formatMs, formatRatio, tableOf } from './table.mjs';

const resultsFile = fileURLToPath(new URL('../results.md', import.meta.url));

/** The aims are for so many connections. */
const judgedConnections = 8;
const memoryAimBytes = 600e6;

const isJudged = ({ connections, aim }) => aim !== undefined && connections === judgedConnections;

/** Whether the aim is met; nothing where there is none. */
function verdict(line) {
  if (!isJudged(line)) return '';
  return line.ratio >= line.aim ? 'yes' : 'no';
}

const table = tableOf([
  { title: 'row', width: 22, left: true, cell: ({ row }) => row },
  { title: 'at once', width: 7, cell: ({ connections }) => String(connections) },
  { title: 'Lectern/s', width: 9, cell: ({ lectern }) => formatCount(lectern.rate) },
  { title: 'beside', width: 14, left: true, cell: ({ beside = '–' }) => beside },
  { title: 'its/s', width: 7, cell: ({ peer }) => formatCount(peer?.rate) },
  { title: 'ratio', width: 6, cell: ({ ratio }) => formatRatio(ratio) },
  { title: 'aim', width: 5, cell: (line) => (isJudged(line) ? formatRatio(line.aim) : '–') },
  { title: 'met', width: 3, left: true, cell: verdict },
  {
    title: 'middle half',
    width: 13,
    left: true,
    cell: ({ lower, upper }) => (lower === undefined ? '–' : `${formatRatio(lower)}–${formatRatio(upper)}`),
  },
  { title: 'CPU each', width: 8, cell: ({ lectern }) => formatMs(lectern.cpuMs) },
  { title: 'its CPU', width: 8, cell: ({ peer }) => formatMs(peer?.cpuMs) },
]);

export const tableHead = table.head;

/** A line of the table, or a sentence where a row or a side could not be measured. */
export const formatLine = (line) => ('sentence' in line ? `${line.row.padEnd(22)}  ${line.sentence}` : table.row(line));

const formatEach = (each) => each.map(({ program, bytes }) => `${program} ${formatMb(bytes)}`).join(', ');

const formatPeak = ([name, { resident, sharedOnce, processes }]) =>
  `${name.padEnd(22)}  ${formatMb(sharedOnce).padStart(9)}, ${formatMb(resident)} with what is shared counted for each of ${processes} processes`;

/** Peak memory of each server; empty where it can’t be read. */
export function formatMemory(peaks) {
  const lectern = peaks.get('Lectern');
  if (!lectern?.sharedOnce) return ['Memory can’t be read on this system.'];
  const isMet = lectern.sharedOnce < memoryAimBytes ? 'yes' : 'no';
  return [
    'Peak resident memory over all of it, all processes of a server together, what they share counted once:',
    ...[...peaks].map(formatPeak),
    `Lectern’s when that was most: ${formatEach(lectern.each)}`,
    `Aim: Lectern below ${formatMb(memoryAimBytes)}. Met: ${isMet}`,
  ];
}

/** How many of the aims are met; those that a row could not even try to reach are not met. */
export function summarize(lines) {
  const judged = lines.filter(isJudged);
  const met = judged.filter((line) => verdict(line) === 'yes').length;
  const count = (member) => lines.reduce((sum, line) => sum + (line[member] ?? 0), 0);
  const unmeasured = count('unmeasured') > 0 ? ` ${count('unmeasured')} could not be measured.` : '';
  return `${met} of ${judged.length + count('missed')} aims at ${judgedConnections} connections are met.${unmeasured}`;
}

/** Writes bench/results.md. */
export async function writeResults({ lines, rows, facts, command, peaks }) {
  const page = `# Results of the benchmark

Written by \`${command}\` on ${new Date().toISOString().slice(0, 10)}; README.md says how to read it. Trust the ratios, not the rates.

${facts.map((fact) => `- ${fact}`).join('\n')}

\`\`\`text
${[tableHead, ...lines.map(formatLine), '', summarize(lines), '', ...formatMemory(peaks)].join('\n')}
\`\`\`

${rows.map(({ name, what }) => `- \`${name}\`: ${what}`).join('\n')}
`;
  await writeFile(resultsFile, page);
}
