/** Which failures of a request to an object store are worth another attempt. */

import { ImageError } from '../../image/model/errors.ts';

/** An answer that can’t be what was asked for. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer';
}

const clockSkews: ReadonlySet<string> = new Set(['RequestTimeTooSkewed', 'RequestExpired', 'RequestInTheFuture']);

/** What the SDK says of the store’s answer. */
function metadataOf(error: unknown): Readonly<Record<string, unknown>> {
  const metadata = error instanceof Error && '$metadata' in error ? error.$metadata : undefined;
  return metadata !== null && typeof metadata === 'object' ? { ...metadata } : {};
}

/** The status of the store’s answer; undefined where there was none. */
export function statusOf(error: unknown): number | undefined {
  const { httpStatusCode } = metadataOf(error);
  return httpStatusCode === undefined ? undefined : Number(httpStatusCode);
}

/** Whether a store refuses a signature for its time. */
export const isClockSkew = (error: unknown): boolean => error instanceof Error && clockSkews.has(error.name);

/** Whether the SDK signs the next attempt by the store’s clock, after one that was refused; answers to HEAD have no name of it. */
const isSignedAnew = (error: unknown): boolean =>
  (isClockSkew(error) || statusOf(error) === 403) && metadataOf(error)['clockSkewCorrected'] === true;

/** Faults of the program or of the settings, such as no credentials, are not: they come again. */
export function isTransient(error: unknown): boolean {
  if (error instanceof WrongAnswer) return true;
  if (error instanceof ImageError) return false;
  if (isSignedAnew(error)) return true;
  const status = statusOf(error);
  if (status !== undefined && Number.isFinite(status))
    return (status >= 500 && status !== 501) || status === 429 || status === 408;
  if (!(error instanceof Error)) return false;
  return (
    ('code' in error && typeof error.code === 'string') ||
    /Timeout|Abort/.test(error.name) ||
    error instanceof SyntaxError
  );
}
