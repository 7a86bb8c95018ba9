/** Something is broken, as opposed to slow: the benchmark ends with this message and exit code 1. */
export class BenchFailure extends Error {}
