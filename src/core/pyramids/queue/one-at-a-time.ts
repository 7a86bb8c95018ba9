/** Lets one build run at a time, or a few, in the order in which they were asked for. */
import PQueue from 'p-queue';
import type { Build } from './build-queue.ts';

/** `build`, of which at most `jobs` run at the same time. */
export function oneAtATime(build: Build, jobs = 1): Build {
  const turns = new PQueue({ concurrency: jobs });
  return (source, onStage) => turns.add(() => build(source, onStage));
}
