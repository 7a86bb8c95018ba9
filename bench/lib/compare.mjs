/** Measures Lectern and its peers row by row in one run. */
import path from 'node:path';
import { waitForDerived } from './derived-pyramids.mjs';
import { fetchResponse } from './http-client.mjs';
import { makeLibrary } from './library.mjs';
import { startLoad } from './load.mjs';
import { describeMachine, describePeers, findPrograms, loadAverage } from './machine.mjs';
import { measureRow } from './measure.mjs';
import { watchMemory } from './memory.mjs';
import { formatLine, formatMemory, summarize, tableHead, writeResults } from './report.mjs';
import { startBareHttp, startBareOpenJpeg, startBareSharp } from './servers/bare.mjs';
import { iipsrvSettings, peerNames, startIipsrv } from './servers/iipsrv.mjs';
import { startLectern, thisCheckout } from './servers/lectern.mjs';
import { startNginx } from './servers/nginx.mjs';
import { describeSettings } from './settings.mjs';
import { settle } from './settle.mjs';
import { missingProgram, prepareSources } from './sources.mjs';
import { alone, compare } from './statistics.mjs';
import { formatMs } from './table.mjs';

const full = {
  samples: 24,
  requests: 1000,
  derivedMs: 180_000,
  repeated: [
    { connections: 1, rounds: 3, seconds: 1 },
    { connections: 8, rounds: 5, seconds: 1 },
  ],
  unique: [
    { connections: 1, rounds: 4, share: 1 },
    { connections: 8, rounds: 6, share: 1 },
  ],
};
/** Only the number of connections to which the targets apply, with fewer rounds and requests. */
const quick = {
  samples: 6,
  requests: 120,
  derivedMs: 90_000,
  repeated: [{ connections: 8, rounds: 2, seconds: 1 }],
  unique: [{ connections: 8, rounds: 3, share: 0.35 }],
};

/** Makes the sources that the rows need, if they do not exist. */
export async function prepareSourcesOf(rows) {
  const names = new Set(rows.flatMap(({ sources }) => sources));
  await prepareSources([...names], (name) => console.log(`Made bench/sources/${name}.`));
}

/** The name of Lectern as another checkout has it. */
const other = 'other checkout';
/** Less than this is more than the noise of a run. */
const otherTarget = 0.97;

/** The rows with the other checkout as their only peer. */
const againstOther = (rows) => rows.map((row) => ({ ...row, targets: { [other]: otherTarget } }));

/** Servers of each checkout: two of the same code differ by up to 20 % for as long as they run. */
const serversEach = 6;

/** With each server measured as often with one connection, and twice with eight. */
const fullAgainst = {
  ...full,
  repeated: [
    { connections: 1, rounds: serversEach, seconds: 1 },
    { connections: 8, rounds: 2 * serversEach, seconds: 1 },
  ],
};

/** Several servers as one system: each round measures another one of them. */
function oneOfSeveral(name, servers) {
  let at = 0;
  return {
    ...servers[0],
    name,
    servers: servers.length,
    turnTo: (round) => {
      at = round % servers.length;
    },
    get port() {
      return servers[at].port;
    },
    pids: servers.flatMap(({ pids }) => pids),
    close: () => Promise.all(servers.map((server) => server.close())),
  };
}

async function startOther(checkout, folder, runFolder, environment) {
  const servers = { Lectern: [], [other]: [] };
  for (let number = 1; number <= serversEach; number++) {
    for (const [name, from] of [
      ['Lectern', thisCheckout],
      [other, checkout],
    ])
      servers[name].push(
        await startLectern({ folder, runFolder, name: `${name} ${number}`, checkout: from, environment }),
      );
  }
  return new Map(Object.entries(servers).map(([name, several]) => [name, oneOfSeveral(name, several)]));
}

/** The variables by which the servers cache no pictures, and make no pyramids. */
const withoutCaches = {
  lectern: {
    LECTERN_CACHE__DIRECTORY: 'false',
    LECTERN_CACHE__MEMORY_BYTES: '0',
    LECTERN_PYRAMIDS__AUTOMATIC: 'false',
  },
  iipsrv: { MAX_IMAGE_CACHE_SIZE: '0' },
};

/** Starts all systems that are installed, by name; `variables` has those of the servers. */
async function startSystems(folder, runFolder, programs, { lectern: environment, iipsrv } = {}) {
  const lectern = await startLectern({ folder, runFolder, environment });
  const iipsrvs = [];
  for (const [name, program] of [
    [peerNames.debian, programs.iipsrv],
    [peerNames.newer, programs.newerIipsrv],
  ]) {
    if (program) iipsrvs.push(await startIipsrv({ name, program, folder, environment: iipsrv }));
  }
  const nginx = programs.nginx && (await startNginx({ program: programs.nginx, runFolder, iipsrvs }));
  const started = [lectern, ...iipsrvs, nginx, startBareSharp(), startBareOpenJpeg(), await startBareHttp()].filter(
    Boolean,
  );
  return new Map(started.map((system) => [system.name, system]));
}

async function iipsrvVersions(systems) {
  const versions = [];
  for (const name of Object.values(peerNames)) {
    const system = systems.get(name);
    if (system === undefined) continue;
    const { headers } = await fetchResponse(system.port, '/iiif/none/info.json');
    versions.push(/iipsrv\/(\S+)/.exec(headers.server ?? '')?.[1] ?? 'of an unknown version');
  }
  return versions;
}

async function factsOf({ programs, systems, load, against, uncached }) {
  if (against !== undefined) return [...describeMachine(), `load average before the run ${loadAverage()}`];
  const iipsrv = Object.entries(iipsrvSettings).map(([name, value]) => `${name}=${value}`);
  return [
    ...describeMachine(),
    `${await describePeers(programs, await iipsrvVersions(systems))}; load average before the run ${loadAverage()}`,
    `Load: ${load.description}`,
    `Lectern: ${await describeSettings(thisCheckout)}`,
    `iipsrv: a process for each core behind nginx, ${iipsrv.join(' ')}`,
    ...(uncached ? ['No server caches pictures.'] : []),
  ];
}

/** The number of targets that the row has against these peers. */
const targetsAgainst = (row, names) => names.filter((name) => row.targets[name] !== undefined).length;

/** A message in place of the row's figures if one of its scans has no derived pyramid. */
function missingPyramid({ row, work, derived }) {
  const missing = row.derived && work.scans.find((scan) => !derived.names.has(scan.name));
  if (!missing) return undefined;
  const sentence = `no derived pyramid of ${missing.name} within ${formatMs(derived.waitedMs)}`;
  return { row: row.name, sentence, missed: targetsAgainst(row, Object.keys(row.targets)) };
}

/**
 * Detects that Lectern began to render from another file, such as a derived pyramid, while a row with cold caches was
 * measured, by a changed ETag. The picture that is requested for this is not a tile, so that it starts no build itself.
 */
async function watchEtag({ row, work }, lectern) {
  if (row.derived || work.kind !== 'unique' || work.scans.length === 0) return () => undefined;
  const [probe] = await work.take(1);
  const tag = async () => (await fetchResponse(lectern.port, lectern.pathOf(probe))).headers.etag;
  const before = await tag();
  const sentence = 'caches not cold throughout: the ETag of the same picture changed during the measurement';
  return async () => ((await tag()) === before ? undefined : { row: row.name, sentence });
}

/** Measures one row on the available systems, and reports each line as soon as it is measured. */
async function measure({ row, work, derived }, { systems, load, effort, report }) {
  const without = missingPyramid({ row, work, derived });
  if (without) return report(without);
  const leftOut = (name, sentence) => report({ row: row.name, sentence, unmeasured: targetsAgainst(row, [name]) });
  const [peers, absent] = [true, false].map((is) =>
    Object.keys(row.targets).filter((name) => systems.has(name) === is),
  );
  // Only those who compare with it name a newer iipsrv.
  for (const name of absent) if (name !== peerNames.newer) leftOut(name, `${name} is not installed`);
  const onRounds = (connections, rounds) => {
    if (peers.length === 0) report({ row: row.name, connections, ...alone(rounds) });
    for (const peerName of peers.filter((name) => rounds[0]?.[name] !== undefined)) {
      report({ row: row.name, connections, peerName, target: row.targets[peerName], ...compare(rounds, peerName) });
    }
  };
  const onFault = (system, sentence) => leftOut(system.name, `${system.name} is left out: ${sentence}`);
  const rowSystems = ['Lectern', ...peers].map((name) => systems.get(name));
  const change = await watchEtag({ row, work }, rowSystems[0]);
  await measureRow({ systems: rowSystems, work, effort, load }, onRounds, onFault);
  const changed = await change();
  if (changed) report(changed);
}

/** Prepares the rows of derived pyramids together, so that their pyramids are built at the same time. */
async function prepareDerived(rows, library, lecterns, most) {
  const works = [];
  for (const row of rows) works.push({ row, work: await row.work(library) });
  const scans = works.flatMap(({ work }) => work.scans);
  if (scans.length === 0) return [];
  await library.waitUntilCacheable();
  // One after the other, so that the pyramids of one disturb no other.
  let derived;
  for (const lectern of lecterns) {
    const { names, waitedMs } = await waitForDerived(lectern, scans, most);
    derived = { names: derived ? new Set([...names].filter((name) => derived.names.has(name))) : names, waitedMs };
    await settle(lecterns);
  }
  return works.map((one) => ({ ...one, derived }));
}

/** The rows whose scans exist; reports those whose scans can't be made. */
async function measurableOf(rows, report) {
  const measurable = [];
  for (const row of rows) {
    const program = await missingProgram(row.sources);
    const unmeasured = targetsAgainst(row, Object.keys(row.targets));
    if (program) report({ row: row.name, sentence: `${program} is not installed, which makes its scans`, unmeasured });
    else measurable.push(row);
  }
  return measurable;
}

async function measureEach(rows, library, context) {
  for (const row of rows) {
    const work = await row.work(library);
    await library.waitUntilCacheable();
    context.memory.during(row.name);
    await measure({ row, work }, context);
  }
}

async function measureDerived(rows, library, context) {
  context.memory.during('the making of derived pyramids');
  const lecterns = ['Lectern', other].flatMap((name) => context.systems.get(name) ?? []);
  for (const prepared of await prepareDerived(rows, library, lecterns, context.effort.derivedMs)) {
    context.memory.during(prepared.row.name);
    await measure(prepared, context);
  }
}

/** In the order of the rows; those of derived pyramids are together. */
async function measureAll(all, library, context) {
  const rows = await measurableOf(all, context.report);
  const behind = rows.findLastIndex(({ derived }) => derived) + 1;
  const others = rows.slice(0, behind).filter(({ derived }) => !derived);
  await measureEach(others, library, context);
  await measureDerived(
    rows.filter(({ derived }) => derived),
    library,
    context,
  );
  await measureEach(rows.slice(behind), library, context);
}

/** Measures the rows and prints the results; writes results.md if all rows were measured beside the peers, with caches. */
export async function runComparison({ rows: chosen, all, quick: isQuick, against, uncached }, runFolder) {
  const rows = against === undefined ? chosen : againstOther(chosen);
  await prepareSourcesOf(rows);
  const programs = findPrograms();
  const library = await makeLibrary(path.join(runFolder, 'library'));
  const variables = uncached ? withoutCaches : {};
  const systems = await (against === undefined
    ? startSystems(library.folder, runFolder, programs, variables)
    : startOther(against, library.folder, runFolder, variables.lectern));
  const load = startLoad({ wrk: programs.wrk, runFolder });
  const facts = await factsOf({ programs, systems, load, against, uncached });
  console.log(`${facts.join('\n')}\n\n${tableHead}`);
  const lines = [];
  const report = (line) => {
    lines.push(line);
    console.log(formatLine(line));
  };
  const memory = watchMemory(
    ['Lectern', other, ...Object.values(peerNames), 'nginx'].flatMap((name) => systems.get(name) ?? []),
  );
  await measureAll(rows, library, {
    systems,
    load,
    effort: isQuick ? quick : against === undefined ? full : fullAgainst,
    report,
    memory,
  });
  const peaks = memory.stop();
  // Several servers of a checkout have no memory that means anything together.
  const memoryLines = against === undefined ? ['', ...formatMemory(peaks)] : [];
  console.log(['', summarize(lines), ...memoryLines].join('\n'));
  for (const system of [...systems.values(), load]) await system.close();
  if (!all || uncached || against !== undefined) return;
  const command = `npm run bench${isQuick ? ' -- --quick' : ''}`;
  await writeResults({ lines, rows, facts: [...facts, `Load average after the run ${loadAverage()}`], command, peaks });
  console.log('\nWritten to bench/results.md.');
}
