// A swarm crawls all sizes of a library at four times what the server can make, beside readers with real viewers and a partner's
// harvester; prints what each of them got, and whether what the shield promises was kept: exit status 0. It is 1 where it was not, and 3 where it can't be told, since the run was short or other programs
// took the processor.
// Usage: npm run simulate:crawlers -- [--minutes N] [--addresses N] [--networks N] [--images N] [--readers N] [--real-viewers N]
//        [--deadline-seconds N] [--seed N] [--without-shield | --compare] [--json FILE]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine, loadAverage } from '../bench/lib/machine.mjs';
import { stopAllOnExit } from '../bench/lib/processes.mjs';
import { makeLibrary } from './simulate-crawlers/library.mjs';
import { reportOf } from './simulate-crawlers/report.mjs';
import { simulate } from './simulate-crawlers/simulation.mjs';
import { exitStatusOf, verdictTable } from './simulate-crawlers/verdicts.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    addresses: { type: 'string', default: '20000' },
    networks: { type: 'string', default: '2000' },
    images: { type: 'string', default: '5000' },
    readers: { type: 'string', default: '20' },
    'real-viewers': { type: 'string', default: '6' },
    'deadline-seconds': { type: 'string', default: '15' },
    seed: { type: 'string', default: '1' },
    'without-shield': { type: 'boolean', default: false },
    compare: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const names = ['addresses', 'networks', 'images', 'readers', 'real-viewers', 'deadline-seconds', 'seed'];
const numbers = names.map((name) => Number(values[name]));
const [addresses, networks, images, readers, realViewers, deadlineSeconds, seed] = numbers;
const minutes = Number(values.minutes);
if (
  !(minutes > 0 && minutes <= 120) ||
  !numbers.every((value) => Number.isInteger(value) && value > 0) ||
  networks < 2
) {
  console.error(
    'Usage: npm run simulate:crawlers -- [--minutes N] [--addresses N] … (see scripts/simulate-crawlers.mjs)',
  );
  process.exit(2);
}

/** The comparison takes this part of the time: it shows what the shield is for, and judges no memory. */
const comparisonPart = 0.25;

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-crawlers-'));
stopAllOnExit();
process.once('exit', () => {
  try {
    rmSync(scratch, { recursive: true, force: true });
  } catch {
    // A server that is just ending may still write to its caches.
    console.error(`${scratch} is left over.`);
  }
});

const say = (text) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);

async function main() {
  const started = `Load average before the run ${loadAverage()}`;
  const folder = path.join(scratch, 'library');
  mkdirSync(folder);
  const library = await makeLibrary(folder, images, seed);
  say(`${images} images in ${library.books} books were made`);
  const real = Math.floor(realViewers / 2);
  const options = { images, addresses, networks, readers, real, seed, deadlineMs: deadlineSeconds * 1000 };
  const run = async (hasShield, seconds) => {
    const result = await simulate(options, { library, runFolder: scratch, seconds, hasShield, say });
    console.log(reportOf(result));
    return result;
  };
  const runs = [await run(!values['without-shield'], minutes * 60)];
  if (values.compare) runs.push(await run(false, minutes * 60 * comparisonPart));
  const facts = [...describeMachine(), started];
  console.log(`\n${facts.join('\n')}`);
  console.log(
    `${addresses} addresses in ${networks} networks, ${images} images, ${minutes} minutes, seed ${seed}. Of ${readers} readers ${real} have the reading room and ${real} OpenSeadragon of another origin in Chromium; the others ask what these two were recorded asking in this run.\n`,
  );
  console.log(verdictTable(runs));
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ facts, runs }));
  process.exit(exitStatusOf(runs[0]));
}

await main();
