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

const kinds = ['browser', 'patient', 'prompt'] as const;

type Kind = (typeof kinds)[number];

function kindOf(file: string): Kind {
  if (file.startsWith('test/browser/')) return 'browser';
  // Nothing counts the time of these; that of pyramids counts, whose processes run at low priority and starve.
  const isPatient = /^test\/(cli|pixels)\/(?!pyramid)/.test(file) || waiting.includes(file);
  return isPatient ? 'patient' : 'prompt';
}

/** Files that put modules of their own in the place of others must not share what they have loaded. */
const standsAlone = (file: string): boolean => readFileSync(path.join(root, file), 'utf8').includes('vi.mock(');

const files = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/${name.replaceAll(path.sep, '/')}`);

/** A core for each worker, and a worker more for each file that needs none. */
const first = { maxWorkers: cores + waiting.length, sequence: { groupOrder: 1 } };
const then = { maxWorkers: cores, sequence: { groupOrder: 2 } };

function project(kind: Kind, isolate: boolean): TestProjectInlineConfiguration {
  const include = files.filter((file) => kindOf(file) === kind && standsAlone(file) === isolate);
  const name = isolate ? `${kind}-alone` : kind;
  return { extends: true, test: { ...(kind === 'prompt' ? then : first), name, include, isolate } };
}

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
    projects: kinds.flatMap((kind) => [project(kind, false), project(kind, true)]),
  },
});
