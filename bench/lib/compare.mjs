/** The comparison: Lectern beside its peers, row by row, in one run. */
import path from 'node:path';
import { fetchAnswer } from './client.mjs';
import { awaitDerived } from './derived.mjs';
import { makeLibrary } from './library.mjs';
import { startLoad } from './load.mjs';
import { describeMachine, describePeers, findPrograms, loadAverage } from './machine.mjs';
import { measureRow } from './measure.mjs';
import { watchMemory } from './memory.mjs';
import { formatLine, formatMemory, summarize, tableHead, writeResults } from './report.mjs';
import { startBareHttp, startBareSharp } from './servers/bare.mjs';
import { iipsrvSettings, startIipsrv } from './servers/iipsrv.mjs';
import { startLectern } from './servers/lectern.mjs';
import { startNginx } from './servers/nginx.mjs';
import { describeSettings } from './settings.mjs';
import { settle } from './settle.mjs';
import { prepareSources } from './sources.mjs';
import { alone, compare } from './statistics.mjs';
import { formatMs } from './table.mjs';

const full = {
  samples: 24,
  requests: 1000,
  derivedMs: { first: 40_000, all: 120_000 },
  again: [
    { connections: 1, rounds: 3, seconds: 1 },
    { connections: 8, rounds: 5, seconds: 1 },
  ],
  once: [
    { connections: 1, rounds: 4, share: 1 },
    { connections: 8, rounds: 6, share: 1 },
  ],
};
/** Only what the aims are for, and less of it. */
const quick = {
  samples: 6,
  requests: 120,
  derivedMs: { first: 10_000, all: 30_000 },
  again: [{ connections: 8, rounds: 2, seconds: 1 }],
  once: [{ connections: 8, rounds: 3, share: 0.35 }],
};

/** The sources that the rows need, made where they are missing. */
export async function prepareSourcesOf(rows) {
  const names = new Set(rows.flatMap(({ sources }) => sources));
  await prepareSources([...names], (name) => console.log(`Made bench/sources/${name}.`));
}

/** All sides that can be started, by name. */
async function startSides(folder, runFolder, programs) {
  const lectern = await startLectern({ folder, runFolder });
  const iipsrv = programs.iipsrv && (await startIipsrv({ program: programs.iipsrv, folder }));
  const nginx = programs.nginx && (await startNginx({ program: programs.nginx, runFolder, iipsrv }));
  const started = [lectern, iipsrv, nginx, startBareSharp(), await startBareHttp()].filter(Boolean);
  return new Map(started.map((side) => [side.name, side]));
}

async function iipsrvVersion(sides) {
  const side = sides.get('iipsrv');
  if (side === undefined) return undefined;
  const { headers } = await fetchAnswer(side.port, '/iiif/none/info.json');
  return /iipsrv\/(\S+)/.exec(headers.server ?? '')?.[1] ?? 'of an unknown version';
}

async function factsOf({ programs, sides, load }) {
  const iipsrv = Object.entries(iipsrvSettings).map(([name, value]) => `${name}=${value}`);
  return [
    ...describeMachine(),
    `${await describePeers(programs, await iipsrvVersion(sides))}; load average before the run ${loadAverage()}`,
    `Load: ${load.description}`,
    `Lectern: ${describeSettings()}`,
    `iipsrv: a process for each core behind nginx, ${iipsrv.join(' ')}`,
  ];
}

/** How many aims the row has beside these peers. */
const aimsBeside = (row, names) => names.filter((name) => row.aims[name] !== undefined).length;

/** A sentence in place of the row's figures where one of its scans has no derived pyramid. */
function withoutPyramid({ row, work, derived }) {
  const missing = row.derived && work.scans.find((scan) => !derived.names.has(scan.name));
  if (!missing) return undefined;
  const sentence = `no derived pyramid of ${missing.name} within ${formatMs(derived.waitedMs)}`;
  return { row: row.name, sentence, missed: aimsBeside(row, Object.keys(row.aims)) };
}

/**
 * Says so where Lectern began to answer from something else while a cold row was measured, such as a derived pyramid: what
 * came later was not cold. The picture that is looked at is none that viewers ask for as a tile.
 */
async function watchTag({ row, work }, lectern) {
  if (row.derived || work.kind !== 'once' || work.scans.length === 0) return () => undefined;
  const [probe] = await work.take(1);
  const tag = async () => (await fetchAnswer(lectern.port, lectern.pathOf(probe))).headers.etag;
  const before = await tag();
  const sentence = 'not cold all the time: the ETag of the same picture has changed in between';
  return async () => ((await tag()) === before ? undefined : { row: row.name, sentence });
}

/** Measures one row with the sides that there are, and reports each line as soon as it is known. */
async function measure({ row, work, derived }, { sides, load, effort, report }) {
  const without = withoutPyramid({ row, work, derived });
  if (without) return report(without);
  const leftOut = (name, sentence) => report({ row: row.name, sentence, unmeasured: aimsBeside(row, [name]) });
  const [peers, absent] = [true, false].map((is) => Object.keys(row.aims).filter((name) => sides.has(name) === is));
  for (const name of absent) leftOut(name, `${name} is not installed`);
  const onRounds = (connections, rounds) => {
    if (peers.length === 0) report({ row: row.name, connections, ...alone(rounds) });
    for (const beside of peers.filter((name) => rounds[0]?.[name] !== undefined)) {
      report({ row: row.name, connections, beside, aim: row.aims[beside], ...compare(rounds, beside) });
    }
  };
  const onFault = (side, sentence) => leftOut(side.name, `${side.name} is left out: ${sentence}`);
  const rowSides = ['Lectern', ...peers].map((name) => sides.get(name));
  const change = await watchTag({ row, work }, rowSides[0]);
  await measureRow({ sides: rowSides, work, effort, load }, onRounds, onFault);
  const changed = await change();
  if (changed) report(changed);
}

/** Prepares the rows of derived pyramids together, so that all are waited for at once. */
async function prepareDerived(rows, library, lectern, most) {
  const works = [];
  for (const row of rows) works.push({ row, work: await row.work(library) });
  const scans = works.flatMap(({ work }) => work.scans);
  if (scans.length === 0) return [];
  await library.rest();
  const derived = await awaitDerived(lectern, scans, most);
  await settle([lectern]);
  return works.map((one) => ({ ...one, derived }));
}

async function measureAll(rows, library, context) {
  for (const row of rows.filter(({ derived }) => !derived)) {
    const work = await row.work(library);
    await library.rest();
    await measure({ row, work }, context);
  }
  const later = rows.filter(({ derived }) => derived);
  const lectern = context.sides.get('Lectern');
  for (const prepared of await prepareDerived(later, library, lectern, context.effort.derivedMs)) {
    await measure(prepared, context);
  }
}

/** Measures the rows and prints the results; writes the page where it was all of them. */
export async function runComparison({ rows, all, quick: isQuick }, runFolder) {
  await prepareSourcesOf(rows);
  const programs = findPrograms();
  const library = await makeLibrary(path.join(runFolder, 'library'));
  const sides = await startSides(library.folder, runFolder, programs);
  const load = startLoad({ wrk: programs.wrk, runFolder });
  const facts = await factsOf({ programs, sides, load });
  console.log(`${facts.join('\n')}\n\n${tableHead}`);
  const lines = [];
  const report = (line) => {
    lines.push(line);
    console.log(formatLine(line));
  };
  const memory = watchMemory(['Lectern', 'iipsrv', 'nginx'].flatMap((name) => sides.get(name) ?? []));
  await measureAll(rows, library, { sides, load, effort: isQuick ? quick : full, report });
  const peaks = memory.stop();
  console.log(['', summarize(lines), '', ...formatMemory(peaks)].join('\n'));
  for (const side of [...sides.values(), load]) await side.close();
  if (!all) return;
  const command = `npm run bench${isQuick ? ' -- --quick' : ''}`;
  await writeResults({ lines, rows, facts: [...facts, `Load average after the run ${loadAverage()}`], command, peaks });
  console.log('\nWritten to bench/results.md.');
}
