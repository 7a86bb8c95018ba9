// Runs the simulation against one server: the capacity, the readers alone, with the harvester, and beside the crawlers.
import { fork } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startLectern } from '../../bench/lib/servers/lectern.mjs';
import { runLoad } from '../../test/fixtures/load/generator.mjs';
import { measuringAddress } from './addresses.mjs';
import { Tally } from './answers.mjs';
import { crawlOrder, pictureOf } from './crawl.mjs';
import { startFigures } from './figures.mjs';
import { makeToken, openHarvester } from './harvester.mjs';
import { startMeter } from './meter.mjs';
import { arrivalMs, openReaders, recordVisits } from './readers.mjs';
import { startViewerSite } from './viewer-site.mjs';
import { launchViewers } from './viewers.mjs';

const crawlersProcess = fileURLToPath(new URL('crawlers-process.mjs', import.meta.url));

/** How many times the crawlers ask for what can be made. */
const overload = 4;

const capacityConnections = 8;
const samples = 24;

/** The lengths of the phases in seconds, by that of the one with crawlers. */
const phasesOf = (seconds) => ({
  capacity: Math.min(15, Math.max(3, seconds / 10)),
  alone: Math.max(8, seconds * 0.15),
  harvester: Math.max(6, seconds * 0.1),
  crawlers: seconds,
});

async function startServer({ library, runFolder, name, hasShield, rule, deadlineMs }) {
  const own = path.join(runFolder, name);
  const folders = { cache: path.join(own, 'cache'), scratch: path.join(own, 'tmp') };
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true });
  const settings = {
    http: { trustedProxies: ['127.0.0.1'] },
    limits: { deadlineMs },
    access: { tokens: [rule] },
    changes: { directory: path.join(own, 'changes') },
    dataSets: { directory: path.join(own, 'data-sets') },
    ...(hasShield ? {} : { withoutFeatures: ['shield'] }),
  };
  const environment = { XDG_CACHE_HOME: folders.cache, TMPDIR: folders.scratch };
  const server = await startLectern({ folder: library.folder, runFolder, name, settings, environment });
  return { ...server, folders };
}

/** The crawlers' pictures a second that the server makes for one client that has it to itself. */
async function measureCapacity(port, { images, seed, seconds }) {
  const order = crawlOrder(images, seed);
  // From the end of the list backward, by a pixel smaller than the crawlers ask for.
  let next = order.length * 12;
  const { kinds, seconds: tookSeconds } = await runLoad({
    port,
    seconds,
    connections: capacityConnections,
    next: () => ({ kind: 'pictures', client: measuringAddress, target: pictureOf(order, --next, 1) }),
  });
  return kinds.pictures.served / tookSeconds;
}

/** Starts the crawlers; `ended` resolves to what became of them. */
function startCrawlers(options) {
  const child = fork(crawlersProcess, { execArgv: [] });
  process.once('exit', () => child.kill('SIGKILL'));
  const ended = new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the process of the crawlers ended with ${code}`)));
  });
  child.send(options);
  return { pid: child.pid, ended };
}

/** What the server itself counted: for whom pictures were made, and what was refused. */
async function metricsOf(port) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return text.match(/^lectern_(?:pictures_made_for|\w*refus|\w*budget)\w*(?:\{[^}]*\})? .+$/gm) ?? [];
}

/** Each phase has tallies of its own, into which readers and harvester count while it runs. */
class Phases {
  results = {};
  #startFigures;
  #newTally;
  #readers;
  #university;
  #harvester;

  constructor(start, deadlineMs) {
    this.#startFigures = start;
    this.#newTally = () => new Tally(deadlineMs);
  }

  get harvester() {
    return this.#harvester;
  }

  recordReader(reader, kind, target, answer) {
    this.#readers?.add(kind, target, answer);
    if (reader === 0) this.#university?.add(kind, target, answer);
  }

  /** `during` is what goes on beside the readers; `programs` are further processes that are measured. */
  async run(name, seconds, { programs = {}, during = [] } = {}) {
    [this.#readers, this.#university, this.#harvester] = [this.#newTally(), this.#newTally(), this.#newTally()];
    const [readers, university, harvester] = [this.#readers, this.#university, this.#harvester];
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    const stop = this.#startFigures(seconds, programs);
    await Promise.all([pause(seconds * 1000), ...during]);
    const latenessMs = delay.percentile(99) / 1e6 - 10;
    const counted = Object.entries({ readers, university, harvester }).map(([who, tally]) => [who, tally.summary()]);
    this.results[name] = { seconds, latenessMs, ...stop(), ...Object.fromEntries(counted) };
  }
}

/** The phases with readers, one after the other. */
async function runPhases({ phases, lengths, harvester, folders, group, crawlers }) {
  const until = (seconds) => {
    const endMs = performance.now() + seconds * 1000;
    return () => performance.now() >= endMs;
  };
  const harvest = (seconds, from) => harvester.run([...folders.slice(from), ...folders.slice(0, from)], until(seconds));
  // A viewer that fails ends the run.
  const whileReading = (name, seconds, more) =>
    Promise.race([phases.run(name, seconds, more), failureOf(group.reading)]);
  await pause(arrivalMs);
  await whileReading('alone', lengths.alone);
  await whileReading('harvester', lengths.harvester, { during: [harvest(lengths.harvester, 0)] });
  const { pid, ended } = startCrawlers({ ...crawlers, seconds: lengths.crawlers });
  await whileReading('crawlers', lengths.crawlers, {
    programs: { crawlers: pid },
    during: [harvest(lengths.crawlers, Math.floor(folders.length / 2)), ended],
  });
  return ended;
}

async function failureOf(promise) {
  await promise;
  throw new Error('the readers ended too early');
}

/** Measures one server, with or without the shield; resolves to plain data. */
export async function simulate(options, { library, runFolder, seconds, hasShield, say }) {
  const { images, addresses, networks, readers, real, seed, deadlineMs } = options;
  const lengths = phasesOf(seconds);
  const { token, rule } = await makeToken();
  const name = hasShield ? 'shield' : 'addresses';
  const server = await startServer({ library, runFolder, name, hasShield, rule, deadlineMs });
  const { port } = server;
  const site = await startViewerSite();
  const browser = await launchViewers(path.join(runFolder, `${name}-browser`));
  const meter = await startMeter(port);
  const places = { origin: meter.origin, site: site.url };
  const programs = { server: server.pids[0], 'this process': process.pid, Chromium: browser.pid };
  const figures = (phaseSeconds, more) =>
    startFigures({ programs: { ...programs, ...more }, folders: server.folders, samples, seconds: phaseSeconds });
  const phases = new Phases(figures, deadlineMs);
  const harvester = openHarvester({ port, token, tally: () => phases.harvester });
  const folders = await harvester.folders();
  say(`the list of changes has ${folders.length} manifests`);
  const visits = await recordVisits(browser, places);
  say(`a visit is ${visits.room.length} requests of the room, ${visits.site.length} of OpenSeadragon elsewhere`);
  const capacity = await measureCapacity(port, { images, seed, seconds: lengths.capacity });
  const rate = capacity * overload;
  say(`${capacity.toFixed(1)} of the crawlers' pictures can be made a second, ${rate.toFixed(0)} will be asked for`);
  const record = phases.recordReader.bind(phases);
  const group = await openReaders({
    ...{ browser, meter, places, port, visits, readers, real, seed, record },
    books: library.books,
  });
  const picturesPerVisit = Math.max(1, Math.min(8, Math.floor((rate * seconds) / addresses)));
  const crawlers = { port, rate, picturesPerVisit, images, addresses, networks, seed, deadlineMs };
  const crawled = await runPhases({ phases, lengths, harvester, folders, group, crawlers });
  const metrics = await metricsOf(port);
  await group.close();
  harvester.close();
  await browser.close();
  meter.close();
  site.close();
  await server.close();
  const output = server.output();
  return { hasShield, capacity, phases: phases.results, crawled, metrics, output };
}
