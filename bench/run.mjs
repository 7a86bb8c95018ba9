/** The benchmark: what Lectern adds to the parts that it is built on. README.md says how to read it. */
import { closeConnections } from './lib/client.mjs';
import { BenchFailure } from './lib/failure.mjs';
import { measureInfoObject } from './lib/info-object.mjs';
import { describeMachine } from './lib/machine.mjs';
import { measurePictures } from './lib/pictures.mjs';
import { startLectern, stop, stopAllAtTheEnd } from './lib/processes.mjs';
import { doubtsAbout, tableHead, tableRow, writeResults } from './lib/report.mjs';
import { prepareSources, sourceFolder, sourceSize } from './lib/sources.mjs';

const full = { info: { rounds: 6, roundMs: 1500 }, pictures: { singles: 30, rounds: 6, perRound: 24 } };
const short = { info: { rounds: 3, roundMs: 500 }, pictures: { singles: 6, rounds: 3, perRound: 8 } };

function readArguments(given) {
  const unknown = given.find((argument) => argument !== '--quick');
  if (unknown !== undefined) throw new BenchFailure(`${unknown} is unknown; the only option is --quick.`);
  return { quick: given.includes('--quick') };
}

async function run() {
  const { quick } = readArguments(process.argv.slice(2));
  const effort = quick ? short : full;
  stopAllAtTheEnd();
  const machine = describeMachine();
  const bytes = await prepareSources();
  const facts = [
    ...machine,
    `Source: JPEG, ${sourceSize.width} x ${sourceSize.height}, ${(bytes / 1e6).toFixed(1)} MB`,
  ];
  console.log(`${facts.join('\n')}\n\n${tableHead()}`);
  const rows = [];
  const report = (row) => {
    rows.push(row);
    console.log([tableRow(row), ...doubtsAbout(row)].join('\n'));
  };
  const lectern = await startLectern(sourceFolder);
  await measureInfoObject(lectern, effort.info, report);
  await measurePictures(lectern, effort.pictures, report);
  closeConnections();
  await stop(lectern.child);
  await writeResults({ rows, facts, quick });
  console.log('\nWritten to bench/results.md.');
}

try {
  await run();
} catch (error) {
  console.error(error instanceof BenchFailure ? `\nbench: ${error.message}` : error);
  process.exit(1);
}
