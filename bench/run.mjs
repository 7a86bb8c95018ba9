/** Runs the benchmark: comparison with peers, growth, profile, or reading room (see README.md). */
import { runComparison } from './lib/compare.mjs';
import { BenchFailure } from './lib/failure.mjs';
import { runGrowth } from './lib/growth/growth.mjs';
import { readOptions } from './lib/options.mjs';
import { stopAllOnExit } from './lib/processes.mjs';
import { runProfile } from './lib/profile.mjs';
import { runRoom } from './lib/room/room.mjs';
import { makeRunFolder } from './lib/run-folder.mjs';

const tasks = { compare: runComparison, profile: runProfile, growth: runGrowth, room: runRoom };

try {
  const task = readOptions(process.argv.slice(2));
  const runFolder = makeRunFolder();
  stopAllOnExit();
  await tasks[task.kind](task, runFolder);
} catch (error) {
  console.error(error instanceof BenchFailure ? `\nbench: ${error.message}` : error);
  process.exit(1);
}
