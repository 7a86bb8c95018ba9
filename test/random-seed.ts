/**
 * Random inputs of all tests come from one seed, so that a run tells what a change did. `LECTERN_TEST_SEED` names another one, or
 * `random` for one of each property: then failures are rare faults that all earlier runs have missed.
 */
import fc from 'fast-check';

const named = process.env['LECTERN_TEST_SEED'] ?? '20261123';
if (named !== 'random') {
  const seed = Number(named);
  if (!Number.isInteger(seed)) throw new Error(`LECTERN_TEST_SEED is ${named}; it has to be an integer, or random`);
  fc.configureGlobal({ seed });
}
