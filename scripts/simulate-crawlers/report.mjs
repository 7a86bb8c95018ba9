// The tables of a run.
import { columns, count, inMs, percent, statusesOf } from './text.mjs';

const head = ['', 'requests', 'served', 'not served', 'malformed', 'late', 'p50 ms', 'p95 ms', 'p99 ms'];

const rowsOf = (title, { kinds }) =>
  Object.entries(kinds).map(([kind, { requests, served, statuses, malformed, late, p50, p95, p99 }]) => [
    `${title}: ${kind}`,
    count(requests),
    count(served),
    statusesOf(statuses),
    malformed,
    late,
    ...[p50, p95, p99].map(inMs),
  ]);

function memoryTable({ series }) {
  const lines = series
    .filter((_, at) => at % 3 === 2)
    .map(({ second, serverMiB, childrenMiB, children, serverDescriptors }) =>
      [second, serverMiB, childrenMiB, children, serverDescriptors].map(count),
    );
  return columns([['second', 'server MiB', 'children MiB', 'children', 'descriptors'], ...lines]);
}

const sharesLine = (name, { shares, latenessMs }) =>
  `  ${name}: ${Object.entries(shares)
    .map(([program, share]) => `${program} ${percent(share)}`)
    .join(', ')}; this process late by ${inMs(latenessMs)} ms (p99)`;

/** The tables of one run. */
export function reportOf({ hasShield, capacity, phases, crawled, metrics }) {
  const { alone, harvester, crawlers } = phases;
  const parts = Object.entries(phases).map(([name, phase]) => sharesLine(name, phase));
  const lines = [
    head,
    ...rowsOf('readers alone', alone.readers),
    ...rowsOf('readers with harvester', harvester.readers),
    ...rowsOf('readers beside crawlers', crawlers.readers),
    ...rowsOf('harvester without crawlers', harvester.harvester),
    ...rowsOf('harvester beside crawlers', crawlers.harvester),
    ...rowsOf('crawlers', crawled),
  ];
  return [
    `\n${hasShield ? 'With the shield' : 'Fairness by address alone'}\n`,
    columns(lines),
    `\nThe process of the crawlers was late by ${inMs(crawled.latenessMs)} ms (p99), ${inMs(crawled.latestMs)} ms at most.`,
    `Capacity: ${capacity.toFixed(1)} pictures a second; asked for: ${crawled.rate.toFixed(1)} pictures a second in ${count(crawled.visits)} visits.`,
    `Crawlers got ${count(crawled.kinds.pictures.served)} pictures, ${count(crawled.again)} of them for the second time, and ${count(crawled.bytes / 2 ** 20)} MiB; ${count(crawled.unsent)} requests were not sent, since too many were waiting. Their latest refusal came after ${inMs(crawled.kinds.pictures.maxRefusalMs)} ms.`,
    `A refusal: ${crawled.refusalText.trim() || 'none'}`,
    ...[...crawlers.readers.examples, ...crawlers.harvester.examples, ...crawled.examples].map((line) => `  ${line}`),
    '\nProcessor, in parts of all cores:',
    ...parts,
    `\nMemory beside crawlers:\n${memoryTable(crawlers)}`,
    `\n${metrics.join('\n')}`,
  ].join('\n');
}
