/** Formats the results: a line for the terminal as each is measured, and all of them as a page. */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { formatCount, formatMb, formatMs, formatRatio, tableOf } from './table.mjs';

const resultsFile = fileURLToPath(new URL('../results.md', import.meta.url));

/** The targets apply to this number of connections. */
const judgedConnections = 8;
const memoryTargetBytes = 350e6;
const makingTargetBytes = 250e6;

const isJudged = ({ connections, target }) => target !== undefined && connections === judgedConnections;

/** Whether the target is met; empty if there is none. */
function verdict(line) {
  if (!isJudged(line)) return '';
  return line.ratio >= line.target ? 'yes' : 'no';
}

const table = tableOf([
  { title: 'row', width: 22, left: true, cell: ({ row }) => row },
  { title: 'conns', width: 7, cell: ({ connections }) => String(connections) },
  { title: 'Lectern/s', width: 9, cell: ({ lectern }) => formatCount(lectern.rate) },
  { title: 'peer', width: 14, left: true, cell: ({ peerName = '–' }) => peerName },
  { title: 'peer/s', width: 7, cell: ({ peer }) => formatCount(peer?.rate) },
  { title: 'ratio', width: 6, cell: ({ ratio }) => formatRatio(ratio) },
  { title: 'target', width: 6, cell: (line) => (isJudged(line) ? formatRatio(line.target) : '–') },
  { title: 'met', width: 3, left: true, cell: verdict },
  {
    title: 'middle half',
    width: 13,
    left: true,
    cell: ({ lower, upper }) => (lower === undefined ? '–' : `${formatRatio(lower)}–${formatRatio(upper)}`),
  },
  { title: 'CPU', width: 8, cell: ({ lectern }) => formatMs(lectern.cpuMs) },
  { title: 'peer CPU', width: 8, cell: ({ peer }) => formatMs(peer?.cpuMs) },
]);

export const tableHead = table.head;

/** A line of the table, or a message if a row or a system could not be measured. */
export const formatLine = (line) => ('sentence' in line ? `${line.row.padEnd(22)}  ${line.sentence}` : table.row(line));

const formatEach = (each) => each.map(({ program, bytes }) => `${program} ${formatMb(bytes)}`).join(', ');

const formatPeak = ([name, { bytes, row }]) => `${name.padEnd(22)}  ${formatMb(bytes).padStart(9)}, during ${row}`;

/** Peak memory of each server; empty if it can’t be read. */
export function formatMemory(peaks) {
  const lectern = peaks.get('Lectern');
  if (!lectern?.bytes) return ['Memory can’t be read on this system.'];
  const met = (bytes, target) => `Target: below ${formatMb(target)}. Met: ${bytes < target ? 'yes' : 'no'}`;
  const byRow = [...lectern.byRow].map(([row, bytes]) => `${row} ${formatMb(bytes)}`);
  return [
    'Peak memory of a server and its render processes, shared pages counted proportionally (PSS):',
    ...[...peaks].map(formatPeak),
    `Lectern’s processes at its peak: ${formatEach(lectern.each)}`,
    `Lectern’s peak in each row: ${byRow.join(', ')}`,
    met(lectern.bytes, memoryTargetBytes),
    `Making a pyramid beside them: ${formatMb(lectern.makingBytes)} at most. ${met(lectern.makingBytes, makingTargetBytes)}`,
  ];
}

/** How many of the targets are met; those of rows that could not be measured are not met. */
export function summarize(lines) {
  const judged = lines.filter(isJudged);
  const met = judged.filter((line) => verdict(line) === 'yes').length;
  const count = (member) => lines.reduce((sum, line) => sum + (line[member] ?? 0), 0);
  const unmeasured = count('unmeasured') > 0 ? ` ${count('unmeasured')} could not be measured.` : '';
  return `${met} of ${judged.length + count('missed')} targets at ${judgedConnections} connections are met.${unmeasured}`;
}

/** Writes bench/results.md. */
export async function writeResults({ lines, rows, facts, command, peaks }) {
  const page = `# Results of the benchmark

Written by \`${command}\` on ${new Date().toISOString().slice(0, 10)}; README.md explains how to read it. The ratios are comparable between runs, the rates are not.

${facts.map((fact) => `- ${fact}`).join('\n')}

\`\`\`text
${[tableHead, ...lines.map(formatLine), '', summarize(lines), '', ...formatMemory(peaks)].join('\n')}
\`\`\`

${rows.map(({ name, what }) => `- \`${name}\`: ${what}`).join('\n')}
`;
  await writeFile(resultsFile, page);
}
