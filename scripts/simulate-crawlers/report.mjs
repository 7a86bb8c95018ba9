// The tables of a run, and whether what is demanded was shown.
import { isFlat } from '../soak/process-figures.mjs';

/** In less time, caches still fill, and nothing can be said of growth. */
const secondsToJudgeMemory = 120;

/** Fewer tiles have no p95. */
const tilesToJudge = 100;

const tileKinds = ['tiles of pyramids', 'tiles of JPEG files'];

const count = (value) => Math.round(value).toLocaleString('en');
const inMs = (ms) => (ms === undefined ? '–' : ms < 10 ? ms.toFixed(1) : count(ms));
const percent = (part) => `${Math.round(part * 100)} %`;
const statusesOf = (statuses) =>
  Object.entries(statuses)
    .map(([status, number]) => `${count(number)} × ${status}`)
    .join(', ') || '0';

/** Lines of cells as columns; the first is aligned to the left. */
function columns(lines) {
  const widths = lines[0].map((_, at) => Math.max(...lines.map((line) => String(line[at]).length)));
  const row = (line) => line.map((cell, at) => String(cell)[at === 0 ? 'padEnd' : 'padStart'](widths[at])).join('  ');
  return lines.map(row).join('\n');
}

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

const sumOf = ({ kinds }, name) => Object.values(kinds).reduce((sum, kind) => sum + kind[name], 0);

/** How many requests were answered with anything but what was asked for. */
const notServed = (summary) => sumOf(summary, 'requests') - sumOf(summary, 'served');

/** The ratio of p95 beside crawlers to alone, of tiles by kind. */
export function tileRatios({ alone, crawlers }) {
  return tileKinds.map((kind) => {
    const [before, beside] = [alone, crawlers].map(({ readers }) => readers.kinds[kind]);
    const isEnough = (before?.served ?? 0) >= tilesToJudge && (beside?.served ?? 0) >= tilesToJudge;
    return { kind, before: before?.p95, beside: beside?.p95, ratio: isEnough ? beside.p95 / before.p95 : undefined };
  });
}

function memoryVerdict({ crawlers: { series, seconds } }) {
  if (seconds < secondsToJudgeMemory)
    return ['memory is flat', undefined, `only ${secondsToJudgeMemory} s and more judge it`];
  const isSteady = isFlat(series, 'serverMiB', 10, 25) && isFlat(series, 'childrenMiB', 15, 60);
  const peak = Math.max(...series.map(({ serverMiB, childrenMiB }) => serverMiB + childrenMiB));
  return ['memory is flat', isSteady, `at most ${count(peak)} MiB`];
}

/** A line for each demand: `[demand, whether it is met (undefined where it can't be told), what was measured]`. */
export function verdictsOf({ phases, crawled }) {
  const { harvester, crawlers } = phases;
  const tiles = tileRatios(phases);
  const full = [harvester, crawlers].map((phase) => phase.harvester.kinds['full sizes']);
  const university = crawlers.university;
  const [malformed, late] = ['malformed', 'late'].map((name) => sumOf(crawled, name));
  return [
    [
      'readers: nothing refused',
      notServed(crawlers.readers) === 0,
      `${notServed(crawlers.readers)} of ${count(sumOf(crawlers.readers, 'requests'))}`,
    ],
    ...tiles.map(({ kind, before, beside, ratio }) => [
      `readers: p95 of ${kind} under 2 x alone`,
      ratio === undefined ? undefined : ratio < 2,
      `${inMs(before)} ms alone, ${inMs(beside)} ms beside crawlers${ratio === undefined ? '' : `: ${ratio.toFixed(2)} x`}`,
    ]),
    [
      'the reader in the network of crawlers is served',
      notServed(university) === 0 && sumOf(university, 'served') > 0,
      `${count(sumOf(university, 'served'))} served, ${notServed(university)} not`,
    ],
    [
      'harvester: nothing refused',
      notServed(crawlers.harvester) === 0,
      `${notServed(crawlers.harvester)} of ${count(sumOf(crawlers.harvester, 'requests'))}; full sizes p95 ${inMs(full[0]?.p95)} ms without, ${inMs(full[1]?.p95)} ms with crawlers`,
    ],
    [
      'crawlers: every refusal is a well-formed 429 or 503 in its deadline',
      malformed === 0,
      `${malformed} malformed, ${late} late of ${count(notServed(crawled))}`,
    ],
    [
      'crawlers get what is left',
      sumOf(crawled, 'served') > 0,
      `${(crawled.kinds.pictures.served / crawled.seconds).toFixed(1)} pictures a second of ${crawled.rate.toFixed(0)}`,
    ],
    memoryVerdict(phases),
  ];
}

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

const word = (isMet) => (isMet === undefined ? 'not judged' : isMet ? 'met' : 'NOT MET');

/** The verdicts of one run or of two beside each other. */
export function verdictTable(runs) {
  const all = runs.map(verdictsOf);
  const titles = runs.map(({ hasShield }) => (hasShield ? 'with the shield' : 'by address alone'));
  const lines = all[0].map(([demand], at) => [
    demand,
    ...all.map((verdicts) => `${word(verdicts[at][1])}: ${verdicts[at][2]}`),
  ]);
  return columns([['', ...titles], ...lines]);
}
