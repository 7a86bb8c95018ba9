/** Runs `lectern pyramid`: finds the images that are slow to cut, and makes the pyramids that are missing. */
import pMap from 'p-map';
import PQueue from 'p-queue';
import { pino } from 'pino';
import { buildOptionsOf, openStore, pyramidFolder, pyramidPlace } from '../../app/open-pyramids.ts';
import { withStorages } from '../../app/open-storages.ts';
import type { Settings } from '../../app/settings/settings.ts';
import { type BuildOptions, buildPyramid } from '../../core/pyramids/build.ts';
import { canMake } from '../../core/pyramids/maker.ts';
import { contentKey, nameFor, type PyramidStore } from '../../core/pyramids/pyramid-store.ts';
import { codeOf } from '../../core/storage/file-errors.ts';
import type { Storages } from '../../core/storage/storages.ts';
import { configurationOf } from '../common/command-configuration.ts';
import { requireFolders } from '../common/folder-walk.ts';
import { startProgress } from '../common/progress.ts';
import { bytesText, counted, durationText, printable } from '../common/text.ts';
import { UsageError, withUsageErrors } from '../common/usage-error.ts';
import { waitForRoom, withLink } from '../queue/with-link.ts';
import { chooseSamples, type Findings, findSlowImages, measureRates, pixelsOf, type SlowImage } from './slow-images.ts';

export interface PyramidFlags {
  readonly config?: string;
  readonly digilibConfig?: string;
  readonly jobs: number;
  readonly dryRun?: boolean;
  /** Puts what is missing into the queue that servers share. */
  readonly enqueue?: boolean;
}

const print = (line: string): void => console.log(line);

/** As after Ctrl-C in a shell. */
const interrupted = 130;

function requireStore(settings: Settings, storages: Storages): PyramidStore {
  const store = openStore(settings, storages);
  if (store === undefined) throw new UsageError('pyramids.maxBytes is 0: the settings allow no pyramids');
  if (!canMake()) throw new UsageError('the program that makes pyramids has to be built first: npm run build');
  return store;
}

/** Waits for an operation of the store; its failure is that of the folder that the settings name. */
async function requireFolder(operation: Promise<void>, action: 'read from' | 'written to', settings: Settings) {
  await operation.catch((error: unknown) => {
    throw new UsageError(
      `pyramids can’t be ${action} ${printable(pyramidFolder(settings))} (${codeOf(error) ?? 'unknown'}); name another folder by the setting pyramids.directory`,
    );
  });
}

/** A slow image and the name that its pyramid has or will have. */
interface Wanted extends SlowImage {
  readonly name: string;
}

async function namesOf(slow: readonly SlowImage[], quality: number, storages: Storages): Promise<readonly Wanted[]> {
  const wanted: Wanted[] = [];
  for (const image of slow) {
    const name = await nameFor(image.source, quality, storages);
    if (name !== undefined) wanted.push({ ...image, name });
  }
  return wanted;
}

/** How many names of a bucket are asked for at once. */
const asksAtOnce = 16;

async function missingIn(store: PyramidStore, wanted: readonly Wanted[]): Promise<readonly Wanted[]> {
  const missing = await pMap(wanted, async (image) => ((await store.has(image.name, 'atLeisure')) ? [] : [image]), {
    concurrency: asksAtOnce,
  });
  return missing.flat();
}

function printFindings({ images, slow, unfit }: Findings, existing: number): void {
  print(
    `${counted(images, 'image', 'images')}: ${counted(slow.length, 'is', 'are')} slow to cut, ${existing.toLocaleString('en')} of these ${existing === 1 ? 'has' : 'have'} a pyramid already.`,
  );
  for (const line of unfit) print(`No pyramid is possible for ${line}.`);
}

interface Work {
  readonly settings: Settings;
  readonly store: PyramidStore;
  readonly options: Omit<BuildOptions, 'store'>;
  readonly missing: readonly Wanted[];
  readonly jobs: number;
}

/** Prints the cost of the work, estimated from a few samples. */
async function estimate({ settings, store, options, missing, jobs }: Work): Promise<void> {
  if (missing.length === 0) return print('There is nothing to make.');
  const samples = chooseSamples(missing, ({ source }) => pixelsOf(source));
  const rates = await measureRates(
    samples.map(({ source }) => source),
    options,
  );
  if (rates === undefined) return print('No pyramid could be made of a sample, so nothing can be said of the others.');
  const pixels = missing.reduce((sum, { source }) => sum + pixelsOf(source), 0);
  const bytes = pixels * rates.bytesPerPixel;
  const seconds = (pixels * rates.secondsPerPixel) / Math.min(jobs, missing.length);
  print(
    `${counted(missing.length, 'pyramid', 'pyramids')} would be made: about ${bytesText(bytes)}, in about ${durationText(seconds)} by ${counted(jobs, 'job', 'jobs')} at once (measured on ${counted(samples.length, 'sample', 'samples')}).`,
  );
  const free = store.freeBytes();
  if (free !== undefined && bytes > free) {
    print(`The store ${printable(pyramidFolder(settings))} has room for ${bytesText(free)}; raise pyramids.maxBytes.`);
  }
}

/** Puts sources into the shared queue, behind what readers wait for. */
async function enqueue(missing: readonly Wanted[], settings: Settings, signal: AbortSignal): Promise<void> {
  const { quality } = settings.pyramids;
  const count = await withLink(settings, async (link) => {
    let added = 0;
    for (const { name, source } of missing) {
      if (!(await waitForRoom(link, added, signal))) break;
      await link.add(name, { key: contentKey(source, quality), source }, 'ahead');
      added++;
    }
    return added;
  });
  print(`${counted(count, 'pyramid', 'pyramids')} put into the queue; lectern queue list shows what becomes of them.`);
}

interface Sums {
  made: number;
  bytes: number;
  /** Lines of the form `path: sentence`. */
  readonly faults: string[];
  /** Why the other pyramids were not built. */
  stopped: string | undefined;
}

async function makeOne(image: Wanted, { store, options }: Work, keep: ReadonlySet<string>, sums: Sums): Promise<void> {
  if (options.signal.aborted || sums.stopped !== undefined) return;
  const outcome = await buildPyramid(image.source, { ...options, store, keep });
  switch (outcome.kind) {
    case 'made':
      sums.made++;
      sums.bytes += outcome.bytes;
      return;
    case 'no-space':
    case 'no-answer':
      sums.stopped ??= outcome.reason;
      return;
    case 'failed':
      return void sums.faults.push(`${image.shown}: ${printable(outcome.reason)}`);
    case 'changed':
      return void sums.faults.push(`${image.shown}: The file was replaced meanwhile.`);
    case 'busy':
      return void sums.faults.push(`${image.shown}: Another process is making its pyramid.`);
    case 'exists':
    case 'given-up':
  }
}

async function makeAll(work: Work, keep: ReadonlySet<string>): Promise<Sums> {
  const sums: Sums = { made: 0, bytes: 0, faults: [], stopped: undefined };
  const progress = startProgress(process.stderr, work.missing.length);
  const queue = new PQueue({ concurrency: work.jobs });
  await queue.addAll(
    work.missing.map((image) => async () => {
      await makeOne(image, work, keep, sums);
      progress.step();
    }),
  );
  progress.end();
  return sums;
}

/** What the store holds now, as the end of a sentence; a bucket has no bound here, and is never listed. */
const held = (store: PyramidStore): string =>
  store.freeBytes() === undefined
    ? 'has them'
    : `holds ${bytesText(store.load().bytes)} of at most ${bytesText(store.maxBytes)}`;

function printSums({ made, bytes, faults, stopped }: Sums, begunMs: number, { settings, store }: Work): void {
  const seconds = (performance.now() - begunMs) / 1000;
  print(
    `Made ${counted(made, 'pyramid', 'pyramids')}, ${bytesText(bytes)}, in ${durationText(seconds)}. ${printable(pyramidPlace(settings))} ${held(store)}.`,
  );
  for (const fault of faults) print(fault);
  if (stopped !== undefined) print(`The others were not made: ${stopped}`);
}

async function run(folders: readonly string[], flags: PyramidFlags, signal: AbortSignal): Promise<number> {
  const { settings } = await configurationOf(folders, flags);
  return withStorages(settings, folders, pino({ level: 'silent' }), (storages) =>
    runIn(settings, folders, flags, { signal, storages }),
  );
}

async function runIn(
  settings: Settings,
  folders: readonly string[],
  flags: PyramidFlags,
  { signal, storages }: { readonly signal: AbortSignal; readonly storages: Storages },
): Promise<number> {
  await requireFolders(folders, storages);
  const begunMs = performance.now();
  const store = requireStore(settings, storages);
  const findings = await findSlowImages(folders, { ...settings.library, storages, signal });
  await requireFolder(store.refresh(), 'read from', settings);
  const wanted = await namesOf(findings.slow, settings.pyramids.quality, storages);
  const missing = await missingIn(store, wanted);
  const work: Work = {
    settings,
    store,
    options: { ...buildOptionsOf(settings, storages), signal },
    missing,
    jobs: flags.jobs,
  };
  printFindings(findings, wanted.length - missing.length);
  for (const fault of findings.faults) print(fault);
  if (flags.dryRun) {
    await estimate(work);
    return signal.aborted ? interrupted : exitCodeOf(findings.faults.length);
  }
  await requireFolder(store.prepare(), 'written to', settings);
  if (flags.enqueue) {
    await enqueue(missing, settings, signal);
    return signal.aborted ? interrupted : exitCodeOf(findings.faults.length);
  }
  await requireFolder(store.sweep(), 'written to', settings);
  const sums = await makeAll(work, new Set(wanted.map(({ name }) => name)));
  printSums(sums, begunMs, work);
  if (signal.aborted) return interrupted;
  return exitCodeOf(findings.faults.length + sums.faults.length + (sums.stopped === undefined ? 0 : 1));
}

const exitCodeOf = (faults: number): number => (faults === 0 ? 0 : 1);

/** Runs the command and gives its exit code. */
export async function pyramid(folders: readonly string[], flags: PyramidFlags): Promise<number> {
  const ending = new AbortController();
  const stop = (): void => ending.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    return await withUsageErrors(() => run(folders, flags, ending.signal));
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}
