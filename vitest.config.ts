/** How the tests run: first those that measure nothing, more at once than there are cores, then those whose time counts. */
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const cores = availableParallelism();
const root = fileURLToPath(new URL('.', import.meta.url));

/** Files that do little but wait for half a minute and longer; others run meanwhile. */
const waiting = ['test/protocol/survive-slow.test.ts', 'test/protocol/survive-hung-disk.test.ts'];

/** What does not mind how long anything takes; pyramids do, whose processes run at low priority and starve. */
const isPatient = (file: string): boolean =>
  /^test\/(browser|cli|pixels)\/(?!pyramid)/.test(file) || waiting.includes(file);

/** Files that put modules of their own in the place of others must not share what they have loaded. */
const standsAlone = (file: string): boolean => readFileSync(path.join(root, file), 'utf8').includes('vi.mock(');

const files = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/${name.replaceAll(path.sep, '/')}`);

/** A core for each worker, and at first a worker more for each file that needs none. */
const groups = [
  { name: 'patient', maxWorkers: cores + waiting.length, sequence: { groupOrder: 1 } },
  { name: 'prompt', maxWorkers: cores, sequence: { groupOrder: 2 } },
];

/** The files of a group: those that share processes, which load the server once, and those that don't. */
const projects = groups.flatMap(({ name, ...how }): TestProjectInlineConfiguration[] => {
  const own = files.filter((file) => (isPatient(file) ? 'patient' : 'prompt') === name);
  const [shared, alone] = [own.filter((file) => !standsAlone(file)), own.filter(standsAlone)];
  return [
    { extends: true, test: { ...how, name, include: shared, isolate: false } },
    { extends: true, test: { ...how, name: `${name}-alone`, include: alone } },
  ];
});

/** What takes long comes first, so that no worker is left with it at the end. */
const kindsByLength = [(file: string) => waiting.includes(file), (file: string) => file.startsWith('test/browser/')];

function rankOf({ moduleId }: TestSpecification): number {
  const file = path.relative(root, moduleId).replaceAll(path.sep, '/');
  const rank = kindsByLength.findIndex((isOfKind) => isOfKind(file));
  return rank === -1 ? kindsByLength.length : rank;
}

/** Vitest itself begins with the longest files only where it has run them before. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => rankOf(one) - rankOf(other));
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
    sequence: { sequencer: LongestFirst },
    projects,
  },
});
