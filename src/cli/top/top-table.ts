/** The tables of `lectern top`, as lines of text. */
import { type CostRow, type DutyReport, isUsed } from '../../features/duty/report.ts';
import { bytesText, durationText, numberText, printable } from '../common/text.ts';

interface Column {
  readonly head: string;
  readonly by?: DutyReport['by'];
  readonly text: (row: CostRow) => string;
}

const timeText = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : durationText(ms / 1000));

const columns: readonly Column[] = [
  { head: 'TIME', by: 'ms', text: ({ ms }) => timeText(ms) },
  { head: '%', text: ({ share }) => String(Math.round(share * 100)) },
  { head: 'REQUESTS', by: 'requests', text: ({ requests }) => numberText(requests) },
  { head: 'SENT', by: 'bytes', text: ({ bytes }) => bytesText(bytes) },
  { head: 'REFUSED', by: 'refused', text: ({ refused }) => numberText(refused) },
];

const longest: Column = { head: 'LONGEST', text: ({ longestMs }) => timeText(longestMs) };

const widthOf = (texts: readonly string[]): number => Math.max(...texts.map((text) => text.length));

/** Numbers to the right, and the name behind them, so that it can be of any length. */
function tableOf(
  heading: string,
  rows: readonly CostRow[],
  { by, shown = columns }: { readonly by?: DutyReport['by']; readonly shown?: readonly Column[] },
): readonly string[] {
  if (rows.length === 0) return [];
  const cells = shown.map(({ head, by: own, text }) => {
    const texts = [own !== undefined && own === by ? `${head}↓` : head, ...rows.map(text)];
    const width = widthOf(texts);
    return texts.map((one) => one.padStart(width));
  });
  const names = [
    heading,
    ...rows.map(({ name, agent }) => printable(agent === undefined ? name : `${name}  ${agent}`)),
  ];
  return ['', ...names.map((name, line) => `${cells.map((texts) => texts[line]).join('  ')}  ${name}`)];
}

const windowNames = { 60: 'the last minute', 600: 'the last 10 minutes', 3600: 'the last hour' } as const;

function budgetLines({ budgets = [] }: DutyReport): readonly string[] {
  return budgets.filter(isUsed).map(({ name, left, size, binds, refused }) => {
    const part = size > 0 ? Math.round(Math.max(0, Math.min(1, left / size)) * 100) : 0;
    const state = binds ? 'refuses now' : `${part} % left`;
    return `budget ${printable(name)}: ${state}, ${numberText(refused)} refused since the start`;
  });
}

const holdLines = ({ holds = [], at }: DutyReport): readonly string[] =>
  holds.map(({ network, until }) => {
    const minutes = Math.ceil((Date.parse(until) - Date.parse(at)) / 60_000);
    return `held: ${printable(network)}, ${minutes} min left`;
  });

/** All that the page shows; with `rows` at most so many of each table. */
export function linesOf(report: DutyReport, rows: number): readonly string[] {
  const { total, by, over, renderings, pyramids } = report;
  const waits = ({ running, waiting }: { running: number; waiting: number }): string =>
    `${numberText(running)} running, ${numberText(waiting)} waiting`;
  const some = (all: readonly CostRow[]): readonly CostRow[] => all.slice(0, rows);
  const [time, , requests] = columns;
  return [
    `${windowNames[over]} (${report.seconds} s): ${numberText(total.requests)} requests, ${timeText(total.ms)}, ${bytesText(total.bytes)} sent, ${numberText(total.refused)} refused`,
    `small pictures: ${waits(renderings.small)} · large: ${waits(renderings.large)} · pyramids: ${waits({ running: pyramids.building, waiting: pyramids.waiting })}`,
    ...budgetLines(report),
    ...holdLines(report),
    ...tableOf('NETWORK', some(report.networks), { by }),
    ...tableOf('SYSTEM', some(report.systems), { by }),
    ...tableOf('PROGRAM', some(report.agents), { by }),
    ...tableOf('KIND', some(report.kinds), { by }),
    ...tableOf('REFUSAL', some(report.refusals), { shown: requests === undefined ? [] : [requests] }),
    ...tableOf('SLOWEST FILE', some(report.files), {
      shown: [time, requests, longest].filter((column) => column !== undefined),
    }),
  ];
}
