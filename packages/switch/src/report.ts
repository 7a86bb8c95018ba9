/** The report of a comparison, as text for people and as data for programs. */
import { type Cause, causeNames, causes, type Kind } from './causes.ts';
import type { LogTally } from './log.ts';
import type { Comparison } from './replay.ts';

/** Number of addresses, and number of logged requests for them. */
export interface Count {
  readonly addresses: number;
  readonly requests: number;
}

export interface Group extends Count {
  readonly cause: Cause;
  /** The part of the requests, 0 to 1. */
  readonly share: number;
  readonly comparisons: readonly Comparison[];
}

export interface Report {
  readonly log: LogTally;
  /** Different addresses in the log. */
  readonly addressesInLog: number;
  /** Addresses that were chosen to be replayed. */
  readonly chosen: number;
  readonly total: Count;
  readonly byKind: Readonly<Record<Kind, Count>>;
  /** Those that occurred, the gravest first. */
  readonly groups: readonly Group[];
  /** Medians in milliseconds over what both servers answered; undefined where there is no such pair. */
  readonly times: { readonly oldMs: number; readonly newMs: number } | undefined;
}

const countOf = (comparisons: readonly Comparison[]): Count => ({
  addresses: comparisons.length,
  requests: comparisons.reduce((sum, { request }) => sum + request.weight, 0),
});

function medianOf(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

function timesOf(comparisons: readonly Comparison[]): Report['times'] {
  const pairs = comparisons.flatMap(({ old, new: now }) =>
    'timeMs' in old && 'timeMs' in now ? [{ old: old.timeMs, now: now.timeMs }] : [],
  );
  if (pairs.length === 0) return undefined;
  return { oldMs: medianOf(pairs.map(({ old }) => old)), newMs: medianOf(pairs.map(({ now }) => now)) };
}

export interface Compared extends Pick<Report, 'log' | 'addressesInLog' | 'chosen'> {
  readonly comparisons: readonly Comparison[];
}

/** Groups what was found by its cause. */
export function reportOf({ comparisons, ...facts }: Compared): Report {
  const total = countOf(comparisons);
  const ofKind = (kind: Kind): Count => countOf(comparisons.filter(({ cause }) => causes[cause].kind === kind));
  const groups = causeNames.toReversed().flatMap((cause): Group[] => {
    const members = comparisons.filter((one) => one.cause === cause);
    if (members.length === 0) return [];
    const count = countOf(members);
    const sorted = members.toSorted((a, b) => b.request.weight - a.request.weight);
    return [{ cause, ...count, share: count.requests / total.requests, comparisons: sorted }];
  });
  const byKind = { same: ofKind('same'), 'on-purpose': ofKind('on-purpose'), different: ofKind('different') };
  return { ...facts, total, byKind, groups, times: timesOf(comparisons) };
}

const percent = (share: number): string => {
  const rounded = (share * 100).toFixed(1);
  if (share > 0 && rounded === '0.0') return '<0.1 %';
  return share < 1 && rounded === '100.0' ? '>99.9 %' : `${rounded} %`;
};

/** `1,234`. */
const numberText = (value: number): string => value.toLocaleString('en');

const things = (count: number, one: string, many = `${one}s`): string =>
  `${numberText(count)} ${count === 1 ? one : many}`;

const titleOf = (cause: Cause): string => {
  const { kind, title } = causes[cause];
  return kind === 'on-purpose' ? `on purpose: ${title}` : title;
};

/** What was in the log, a line for each kind of line that was left out. */
export function formatLog(log: LogTally, addresses: number): readonly string[] {
  const { lines, requests, otherMethods, elsewhere, noRequests, firstNoRequest, beyondMemory } = log;
  const left = [
    [otherMethods, things(otherMethods, 'line'), 'with another method than GET and HEAD'],
    [elsewhere, things(elsewhere, 'request'), 'outside of the context path'],
    [noRequests, things(noRequests, 'line'), `without a request; the first is line ${numberText(firstNoRequest)}`],
    [beyondMemory, things(beyondMemory, 'request'), 'for addresses beyond the first million'],
  ] as const;
  return [
    `The log has ${things(lines, 'line')}: ${things(requests, 'request')} for ${things(addresses, 'address', 'addresses')}.`,
    ...left.filter(([count]) => count > 0).map(([, counted, what]) => `  left out: ${counted} ${what}`),
  ];
}

function tableOf({ groups }: Report): readonly string[] {
  const rows = [...groups.toReversed()].map((group) => [
    numberText(group.requests),
    percent(group.share),
    numberText(group.addresses),
    titleOf(group.cause),
  ]);
  const all = [['requests', 'share', 'addresses', 'cause'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) => row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  '));
}

function exampleLines({ request, detail }: Comparison): readonly string[] {
  const method = request.method === 'GET' ? '' : `${request.method} `;
  const times = request.weight === 1 ? '' : ` (${numberText(request.weight)} times)`;
  return [`    ${method}${request.target || '/'}${times}`, ...(detail === '' ? [] : [`      ${detail}`])];
}

function groupLines(group: Group, examples: number): readonly string[] {
  const { cause, comparisons, addresses } = group;
  const shown = comparisons.slice(0, examples);
  const more = addresses - shown.length;
  return [
    '',
    `${titleOf(cause)} (${things(addresses, 'address', 'addresses')})`,
    `  ${causes[cause].sentence}`,
    ...shown.flatMap(exampleLines),
    ...(more > 0 && examples > 0 ? [`    … and ${numberText(more)} more`] : []),
  ];
}

const milliseconds = (time: number): string => `${time < 10 ? time.toFixed(1) : numberText(Math.round(time))} ms`;

function timeLines({ times }: Report): readonly string[] {
  if (times === undefined || times.oldMs === 0) return [];
  const ratio = (times.newMs / times.oldMs).toPrecision(2);
  return [
    `Median time: ${milliseconds(times.newMs)} instead of ${milliseconds(times.oldMs)}, which is ${Number(ratio)} times the old one.`,
  ];
}

function conclusionOf({ byKind }: Report): string {
  const { addresses, requests } = byKind.different;
  if (addresses === 0) return 'Nothing differs but what does on purpose.';
  return `${things(addresses, 'address', 'addresses')} (${things(requests, 'request')}) ${addresses === 1 ? 'differs' : 'differ'}.`;
}

/** The whole report but for the log's own lines. */
export function formatReport(report: Report, examples: number): readonly string[] {
  const { total, chosen, log, groups } = report;
  if (total.addresses === 0) return ['Nothing was compared.'];
  const ofChosen = total.addresses === chosen ? '' : ` of ${numberText(chosen)} that were chosen`;
  return [
    `Compared ${things(total.addresses, 'address', 'addresses')}${ofChosen}, which stand for ${numberText(total.requests)} of ${things(log.requests, 'request')} (${percent(total.requests / log.requests)}).`,
    '',
    ...tableOf(report),
    ...groups
      .filter(({ cause }) => cause !== 'same')
      .toReversed()
      .flatMap((group) => groupLines(group, examples)),
    '',
    ...timeLines(report),
    conclusionOf(report),
  ];
}

/** The whole report with every comparison, to be written as JSON. */
export function reportAsData(report: Report, servers: Readonly<Record<'old' | 'new', string>>): object {
  const { groups, times, ...facts } = report;
  return {
    servers,
    ...facts,
    ...(times === undefined ? {} : { times: { ...times, ratio: times.newMs / times.oldMs } }),
    groups: groups.map(({ cause, comparisons, ...count }) => ({ cause, ...causes[cause], ...count, comparisons })),
  };
}
