// Whether what is demanded was shown: met, not met, or not to be told on this machine at this time.
import { isFlat } from '../soak/process-figures.mjs';
import { columns, count, inMs, percent } from './text.mjs';

/** In less time, caches still fill, and nothing can be said of growth. */
const secondsToJudgeMemory = 120;

/** Fewer tiles have no p95. */
const tilesToJudge = 100;

const tileKinds = ['tiles of pyramids', 'tiles of JPEG files'];

/** Where other programs take more of the processor, times say nothing of the server. */
const maxOtherPrograms = 0.15;

const sumOf = ({ kinds }, name) => Object.values(kinds).reduce((sum, kind) => sum + kind[name], 0);

/** How many requests were answered with anything but what was asked for. */
const notServed = (summary) => sumOf(summary, 'requests') - sumOf(summary, 'served');

/** The most that other programs took of the processor in a phase that is judged. */
export const otherPrograms = ({ alone, crawlers }) =>
  Math.max(...[alone, crawlers].map(({ shares }) => shares['other programs']));

/** A verdict about times: undefined where other programs may have caused them. */
const timely = (phases, isMet) => (isMet === false && otherPrograms(phases) > maxOtherPrograms ? undefined : isMet);

/** The p95 of tiles by kind, alone, beside the harvester and beside the crawlers too, and the ratio of the last to the first. */
export function tileRatios({ alone, harvester, crawlers }) {
  return tileKinds.map((kind) => {
    const [before, harvested, beside] = [alone, harvester, crawlers].map(({ readers }) => readers.kinds[kind]);
    const isEnough = (before?.served ?? 0) >= tilesToJudge && (beside?.served ?? 0) >= tilesToJudge;
    const ratio = isEnough ? beside.p95 / before.p95 : undefined;
    return { kind, before: before?.p95, harvested: harvested?.p95, beside: beside?.p95, ratio };
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
    ...tiles.map(({ kind, before, harvested, beside, ratio }) => [
      `readers: p95 of ${kind} under 2 x alone`,
      timely(phases, ratio === undefined ? undefined : ratio < 2),
      `${inMs(before)} ms alone, ${inMs(harvested)} with the harvester, ${inMs(beside)} beside crawlers${ratio === undefined ? '' : `: ${ratio.toFixed(2)} x`}`,
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
      'crawlers: every refusal is a well-formed 429 or 503',
      malformed === 0,
      `${malformed} of ${count(notServed(crawled))} are not`,
    ],
    [
      'crawlers: every refusal comes in its deadline',
      timely(phases, late === 0),
      `${late} of ${count(notServed(crawled))} came later, as 504, or not at all`,
    ],
    [
      'crawlers get what is left',
      sumOf(crawled, 'served') > 0,
      `${(crawled.kinds.pictures.served / crawled.seconds).toFixed(1)} pictures a second of ${crawled.rate.toFixed(0)}`,
    ],
    memoryVerdict(phases),
  ];
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
  const busy = runs.map(({ phases }) => percent(otherPrograms(phases)));
  return columns([['', ...titles], ...lines, ['other programs of the machine took', ...busy]]);
}

/** 0 where all is met, 1 where something is not, and 3 where something could not be judged. */
export function exitStatusOf(run) {
  const verdicts = verdictsOf(run).map(([, isMet]) => isMet);
  if (verdicts.includes(false)) return 1;
  return verdicts.includes(undefined) ? 3 : 0;
}
