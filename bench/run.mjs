/** Runs the benchmark: comparison with peers, growth, profile, reading room, or index of texts (see README.md). */
import { runComparison } from './lib/compare.mjs';
import { BenchFailure } from './lib/failure.mjs';
import { runGrowth } from './lib/growth/growth.mjs';
import { readOptions } from './lib/options.mjs';
import { stopAllOnExit } from './lib/processes.mjs';
import { runProfile } from './lib/profile.mjs';
import { runRoom } from './lib/room/room.mjs';
import { makeRunFolder } from './lib/run-folder.mjs';
import { runTexts } from './lib/texts/texts.mjs';

const tasks = { compare: runComparison, profile: runProfile, growth: runGrowth, room: runRoom, texts: runTexts };

try {
  const task = readOptions(process.argv.slice(2));
  const runFolder = makeRunFolder();
  stopAllOnExit();
  await tasks[task.kind](task, runFolder);
} catch (error) {
  console.error(error instanceof BenchFailure ? `\nbench: ${error.message}` : error);
  process.exit(1);
}
