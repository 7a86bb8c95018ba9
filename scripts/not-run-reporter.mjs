// The last lines of a test run: which tests were not run because the machine lacks what they need, and how to get that. With
// REQUIRE_ALL_TESTS=1 it is a failure that a package is missing, with REQUIRE_ALL_TESTS=rights too few rights are one as well.
import { testNeeds } from './test-needs.mjs';

/** @implements {import('vitest/node').Reporter} */
export class NotRunReporter {
  #root = '';

  onInit({ config }) {
    this.#root = config.root;
  }

  onTestRunEnd(testModules) {
    /** By tag and file, how many tests. */
    const skipped = new Map();
    for (const { moduleId, children } of testModules) {
      const file = moduleId.slice(this.#root.length + 1);
      for (const { options } of children.allTests('skipped')) {
        for (const tag of options.tags ?? []) {
          const files = skipped.get(tag) ?? new Map();
          skipped.set(tag, files.set(file, (files.get(file) ?? 0) + 1));
        }
      }
    }
    const missing = testNeeds.filter(({ tag, isMet }) => skipped.has(tag) && !isMet());
    if (missing.length === 0) return;
    console.log('\nNOT RUN, because this machine lacks what they need:');
    for (const { tag, what, rights } of missing) {
      const files = [...skipped.get(tag)].map(([file, count]) => `    ${file}: ${count}`);
      console.log(`  ${what}${rights ? ` (${rights})` : ''}\n${files.join('\n')}`);
    }
    const packages = missing.flatMap(({ packages }) => packages ?? []);
    if (packages.length > 0) console.log(`To run them (Debian): apt-get install ${packages.join(' ')}`);
    const required = process.env.REQUIRE_ALL_TESTS;
    if (!required || (required !== 'rights' && packages.length === 0)) return;
    console.log('REQUIRE_ALL_TESTS is set, so this is a failure.');
    process.exitCode = 1;
  }
}
