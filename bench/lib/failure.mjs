/** Something is broken, as opposed to slow: the benchmark ends with this sentence and exit code 1. */
export class BenchFailure extends Error {}
