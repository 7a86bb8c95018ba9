/** How the tests run: first those that measure nothing, more at once than there are cores, then those whose time counts. */
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const cores = availableParallelism();

/** Files that do little but wait for half a minute and longer; others run meanwhile. */
const waiting = ['test/protocol/survive-slow.test.ts', 'test/protocol/survive-hung-disk.test.ts'];

const browser = ['test/browser/**/*.test.ts'];

/** Files that don't mind how long anything takes; pyramids do, whose processes run at low priority and starve. */
const patient = ['test/{cli,pixels}/!(pyramid*).test.ts', ...waiting];

/** A core for each worker, and a worker more for each file that needs none. */
const first = { maxWorkers: cores + waiting.length, sequence: { groupOrder: 1 } };
const then = { maxWorkers: cores, sequence: { groupOrder: 2 } };

/** Vitest begins with the longest files only where it has run them before; the waiting ones must never come last. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isWaiting = ({ moduleId }: TestSpecification): boolean => waiting.some((name) => moduleId.endsWith(name));
    return [...sorted.filter(isWaiting), ...sorted.filter((file) => !isWaiting(file))];
  }
}

export default defineConfig({
  test: {
    // What a command keeps for its user stays out of the cache of the one who runs the tests.
    env: { XDG_CACHE_HOME: path.join(tmpdir(), 'lectern-test-cache') },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What a busy machine does late is not wrong.
    expect: { poll: { timeout: 10_000 } },
    reporters: ['default'],
    sequence: { sequencer: WaitingFirst },
    projects: [
      { extends: true, test: { ...first, name: 'browser', include: browser } },
      { extends: true, test: { ...first, name: 'patient', include: patient } },
      {
        extends: true,
        test: { ...then, name: 'prompt', include: ['test/**/*.test.ts'], exclude: [...browser, ...patient] },
      },
    ],
  },
});
