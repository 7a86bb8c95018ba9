/** Whether the server can answer requests for images, part by part, in words that name nothing of the host. */

export interface ReadinessCheck {
  /** Such as `root 1`, `virtual folder maps`, `cache`, `renderer`. */
  readonly name: string;
  /** Whether requests are answered nevertheless where it is not ready, as without a cache. */
  readonly isOptional?: true;
  readonly isReady: boolean;
  /** One word or a short sentence. */
  readonly state: string;
}

export type Readiness = () => Promise<readonly ReadinessCheck[]>;

export const isReady = (checks: readonly ReadinessCheck[]): boolean =>
  checks.every((check) => check.isReady || check.isOptional === true);
