/** Profiles Lectern’s processes under the load of one row, and prints the functions by self time. */
import { existsSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireCorrect } from './checks.mjs';
import { prepareSourcesOf } from './compare.mjs';
import { waitForDerived } from './derived-pyramids.mjs';
import { BenchFailure } from './failure.mjs';
import { makeLibrary } from './library.mjs';
import { startLoad } from './load.mjs';
import { findPrograms } from './machine.mjs';
import { argumentsOf, cpuMsOf, treeOf } from './process-tree.mjs';
import { startLectern } from './servers/lectern.mjs';
import { pause, settle } from './settle.mjs';
import { formatCount, formatMs, tableOf } from './table.mjs';

const profiler = fileURLToPath(new URL('../processes/profiler.cjs', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));
const connections = 8;
const effort = { seconds: 8, batches: 6, derivedMs: 180_000 };
const shownFunctions = 25;

/** Self time in ms by function and position. */
function selfTimes({ nodes, samples, timeDeltas }) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map();
  for (const [index, id] of samples.entries()) {
    const { functionName, url, lineNumber } = frames.get(id);
    const position = url === '' ? '' : `${url.replace(/^file:\/\//, '').replace(root, '')}:${lineNumber + 1}`;
    const name = `${functionName || (url === '' ? '(native)' : '(anonymous)')}\t${position}`;
    times.set(name, (times.get(name) ?? 0) + timeDeltas[index] / 1000);
  }
  return times;
}

const table = tableOf([
  { title: 'self', width: 8, cell: ({ ms }) => formatMs(ms) },
  { title: 'share', width: 6, cell: ({ share }) => `${(share * 100).toFixed(1)}%` },
  { title: 'function', width: 34, left: true, cell: ({ name }) => name.split('\t')[0].slice(0, 34) },
  { title: 'position', width: 60, left: true, cell: ({ name }) => name.split('\t')[1] },
]);

function printProfile(title, profile) {
  const times = selfTimes(profile);
  const idle = times.get('(idle)\t') ?? 0;
  times.delete('(idle)\t');
  const busy = [...times.values()].reduce((sum, ms) => sum + ms, 0);
  const top = [...times].sort(([, a], [, b]) => b - a).slice(0, shownFunctions);
  console.log(
    `\n${title}: its JavaScript thread was busy for ${formatMs(busy)}, idle for ${formatMs(idle)}\n${table.head}`,
  );
  for (const [name, ms] of top) console.log(table.row({ name, ms, share: ms / busy }));
}

/** Only processes that have loaded the profiler: the signal would end any other. */
const profiledPids = (server) => server.pids.flatMap(treeOf).filter((pid) => argumentsOf(pid).includes('profiler.cjs'));

function signal(pids) {
  for (const pid of pids) process.kill(pid, 'SIGUSR2');
}

async function collect(pids, runFolder) {
  const files = pids.map((pid) => path.join(runFolder, `${pid}.cpuprofile`));
  for (let attempt = 0; attempt < 100 && !files.every(existsSync); attempt++) await pause(100);
  const profiles = [];
  for (const [index, file] of files.entries()) {
    if (existsSync(file)) profiles.push({ pid: pids[index], profile: JSON.parse(await readFile(file, 'utf8')) });
  }
  return profiles;
}

/** Puts the row's load on Lectern; resolves to the number of responses and the elapsed ms. */
async function putLoad(load, server, work) {
  const port = server.port;
  if (work.kind === 'repeated') {
    return load.repeated({ port, paths: work.requests.map(server.pathOf), connections, seconds: effort.seconds });
  }
  const total = { answers: 0, elapsedMs: 0 };
  for (let batch = 0; batch < effort.batches; batch++) {
    const requests = await work.take(work.counts[connections]);
    const { answers, elapsedMs } = await load.unique({ port, paths: requests.map(server.pathOf), connections });
    total.answers += answers;
    total.elapsedMs += elapsedMs;
  }
  return total;
}

/** Checks responses and fills the caches before the profile begins. */
async function prepare(row, work, server, load) {
  if (row.derived) {
    const derived = await waitForDerived(server, work.scans, effort.derivedMs);
    if (derived.names.size < work.scans.length) throw new BenchFailure('Lectern has made no derived pyramid.');
  }
  const sample = work.kind === 'repeated' ? work.requests : await work.take(work.counts[connections]);
  for (const request of sample.slice(0, connections)) await requireCorrect(server, request);
  if (work.kind === 'repeated') {
    const paths = work.requests.map(server.pathOf);
    await load.repeated({ port: server.port, paths, connections, seconds: 2 });
  }
  await settle([server]);
}

/** Runs the row's load on Lectern and prints the functions in which each of its processes spent its time. */
export async function runProfile({ row }, runFolder) {
  await prepareSourcesOf([row]);
  const preload = path.join(runFolder, 'profiler.cjs');
  await copyFile(profiler, preload);
  const library = await makeLibrary(path.join(runFolder, 'library'));
  const server = await startLectern({ folder: library.folder, runFolder, nodeArgs: ['--require', preload] });
  const load = startLoad({ wrk: findPrograms().wrk, runFolder });
  const work = await row.work(library);
  await library.waitUntilCacheable();
  await prepare(row, work, server, load);
  const pids = profiledPids(server);
  const before = pids.map(cpuMsOf);
  signal(pids);
  const { answers, elapsedMs } = await putLoad(load, server, work);
  const spent = pids.map((pid, index) => cpuMsOf(pid) - before[index]);
  signal(pids);
  console.log(`${row.name}: ${row.what}\n${formatCount((answers * 1000) / elapsedMs)} answers/s with the profiler`);
  for (const { pid, profile } of await collect(pids, runFolder)) {
    const index = pids.indexOf(pid);
    const title = index === 0 ? 'Server process' : `Render process ${index}`;
    printProfile(`${title}, ${formatMs(spent[index])} of processor time with all threads`, profile);
  }
  await load.close();
  await server.close();
}
