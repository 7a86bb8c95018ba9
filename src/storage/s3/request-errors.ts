/** Which failures of a request to an object store are worth another attempt. */

import { ImageError } from '../../image/model/errors.ts';

/** An answer that can’t be what was asked for. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer';
}

/** The status of the store’s answer; undefined where there was none. */
export function statusOf(error: unknown): number | undefined {
  const metadata = error instanceof Error && '$metadata' in error ? error.$metadata : undefined;
  return metadata !== null && typeof metadata === 'object' && 'httpStatusCode' in metadata
    ? Number(metadata.httpStatusCode)
    : undefined;
}

/** Faults of the program or of the settings, such as no credentials, are not: they come again. */
export function isTransient(error: unknown): boolean {
  if (error instanceof WrongAnswer) return true;
  if (error instanceof ImageError) return false;
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
