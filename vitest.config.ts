/**
 * Runs the test files in two groups: first those without time limits, with more workers than cores, then all others. The
 * projects `robustness…` are for `npm run test:robustness` only: their tests take minutes, and need most of the machine. The
 * project `viewers` is for `npm run test:viewers` only: it needs viewers that are installed elsewhere; `cookbook` is for
 * `npm run check:cookbook` only.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { NotRunReporter } from './scripts/not-run-reporter.mjs';
import { testNeeds } from './scripts/test-needs.mjs';

const cores = availableParallelism();
const root = fileURLToPath(new URL('.', import.meta.url));

/** Files that mostly wait for time-outs of half a minute and more; each gets a worker beyond the number of cores. */
const idleFiles = ['test/protocol/survive-slow.test.ts', 'test/protocol/survive-hung-disk.test.ts'];

/**
 * Files that pass however slow the machine is. Tests of pyramids are not among them: pyramids are built at low process
 * priority, and would not proceed on a machine with more workers than cores.
 */
const isWithoutTimeLimit = (file: string): boolean =>
  /^test\/(browser|cli|pixels)\/(?!pyramid)/.test(file) || idleFiles.includes(file);

/** Files that mock modules must not share a process, and its loaded modules, with others. */
const mocksModules = (file: string): boolean => readFileSync(path.join(root, file), 'utf8').includes('vi.mock(');

/** The folders of tests: of the server with its reading room, and of each package. */
const folders = ['test', ...readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}/test`)];

const files = folders
  .filter((folder) => existsSync(path.join(root, folder)))
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`),
  )
  .filter((file) => !/^test\/(?:robustness|viewers|cookbook)\//.test(file));

/**
 * One worker for each core, and one more, since pages and deadlines are waited for during a third of the time; in the
 * first group another one for each file that needs almost no processor time.
 */
const groups = [
  { name: 'without-time-limit', maxWorkers: cores + 1 + idleFiles.length, sequence: { groupOrder: 1 } },
  { name: 'with-time-limit', maxWorkers: cores + 1, sequence: { groupOrder: 2 } },
];

/** A project for the files of a group that share processes, so that modules load once, and one for those that don't. */
const projects = groups.flatMap(({ name, ...options }): TestProjectInlineConfiguration[] => {
  const own = files.filter((file) => (isWithoutTimeLimit(file) ? 'without-time-limit' : 'with-time-limit') === name);
  const [shared, isolated] = [own.filter((file) => !mocksModules(file)), own.filter(mocksModules)];
  return [
    { extends: true, test: { ...options, name, include: shared, isolate: false } },
    { extends: true, test: { ...options, name: `${name}-isolated`, include: isolated } },
  ];
});

/** Files that give many inputs to a parser or a server; their time limits are far above what these take. */
const manyInputs = 'test/robustness/{hostile,mutated,parse}-*.test.ts';

/** Each file in a process of its own, one after the other where they load the machine or measure how long others wait. */
const robustness = [
  { name: 'robustness', include: ['test/robustness/*.test.ts'], exclude: [manyInputs], maxWorkers: 1 },
  { name: 'robustness-inputs', include: [manyInputs], maxWorkers: cores },
].map(
  (options, index): TestProjectInlineConfiguration => ({
    extends: true,
    test: { ...options, sequence: { groupOrder: 3 + index }, testTimeout: 600_000, hookTimeout: 300_000 },
  }),
);

/** Other viewers, which are no dependencies of the project: see test/viewers/viewer-packages.ts. */
const viewers: TestProjectInlineConfiguration = {
  extends: true,
  test: { name: 'viewers', include: ['test/viewers/*.test.ts'], maxWorkers: 1, sequence: { groupOrder: 5 } },
};

/** The recipes of the IIIF cookbook, which is no part of the project: see test/cookbook/cookbook-files.ts. */
const cookbook: TestProjectInlineConfiguration = {
  extends: true,
  test: { name: 'cookbook', include: ['test/cookbook/*.test.ts'], maxWorkers: 1, sequence: { groupOrder: 6 } },
};

/** The kinds of files that take longest start first, so that none of them runs alone at the end. */
const kindsByLength = [(file: string) => idleFiles.includes(file), (file: string) => file.startsWith('test/browser/')];

function rankOf({ moduleId }: TestSpecification): number {
  const file = path.relative(root, moduleId).replaceAll(path.sep, '/');
  const rank = kindsByLength.findIndex((isOfKind) => isOfKind(file));
  return rank === -1 ? kindsByLength.length : rank;
}

/** Vitest’s own sequencer knows the duration of a file only from an earlier run. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((one, other) => rankOf(one) - rankOf(other));
  }
}

/** `vitest --mode whole`, which is `npm run test:all`, runs whole sweeps; otherwise a sample of them runs (`test/sweep.ts`). */
export default defineConfig(({ mode }) => {
  // Vitest reads this file again for each project, with the mode `test`; the processes of tests have this environment too.
  const isWhole = mode === 'whole' || process.env['LECTERN_TEST_ALL'] === 'true';
  process.env['LECTERN_TEST_ALL'] = String(isWhole);
  return {
    // The packages in `packages` from their sources.
    ssr: { resolve: { conditions: ['lectern-source', 'node', 'development'] } },
    test: {
      setupFiles: ['test/random-seed.ts'],
      // The commands that are tested must not write to the cache of the user who runs the tests.
      env: {
        XDG_CACHE_HOME: path.join(tmpdir(), 'lectern-test-cache'),
        // The SDK would write to standard error that versions of next year need a newer Node.
        AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      },
      // A test without what it needs is not run, and listed at the end.
      tags: [
        // A tag without `skip` leaves what another one says.
        ...testNeeds.map(({ tag, what, isMet }) => ({
          name: tag,
          description: `needs ${what}`,
          ...(!isMet() && { skip: true }),
        })),
        { name: 'exhaustive', description: 'a long sweep, for `npm run test:all`', ...(!isWhole && { skip: true }) },
        { name: 'sampled', description: 'runs with more of its cases in `npm run test:all`' },
      ],
      testTimeout: 60_000,
      hookTimeout: 120_000,
      // Generous, since a busy machine is slow.
      expect: { poll: { timeout: 30_000 } },
      reporters: ['default', new NotRunReporter()],
      sequence: { sequencer: LongestFirst },
      projects: [...projects, ...robustness, viewers, cookbook],
    },
  };
});
