/** Whether the server can answer requests for images, part by part, in words that name nothing of the host. */

export interface ReadinessCheck {
  /** Such as `root 1`, `virtual folder maps`, `cache`, `renderer`. */
  readonly name: string;
  /** Whether the server is to get requests nevertheless where it is not ready: without a cache, or while a bucket fails. */
  readonly isOptional?: true;
  readonly isReady: boolean;
  /** One word or a short sentence. */
  readonly state: string;
}

export interface Readiness {
  /** Asks the disks now. */
  ask(): Promise<readonly ReadinessCheck[]>;
  /** The same as it was known last, without asking anyone. */
  known(): readonly ReadinessCheck[];
}

const namesOf = (checks: readonly ReadinessCheck[]): readonly string[] => checks.map(({ name }) => name);

/** The names of the parts without which the server is to get no requests, and which are not ready. */
export const notReady = (checks: readonly ReadinessCheck[]): readonly string[] =>
  namesOf(checks.filter((check) => !check.isReady && check.isOptional !== true));

/** The names of the other parts that are not ready. */
export const degraded = (checks: readonly ReadinessCheck[]): readonly string[] =>
  namesOf(checks.filter((check) => !check.isReady && check.isOptional === true));
