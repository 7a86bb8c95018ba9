/** Which failures of a request to an object store are worth another attempt, and the errors of all others. */
import { BrokenCircuitError } from 'cockatiel';
import { fileChanged, ImageError } from '../../image/model/errors.ts';
import type { StoreFailure } from '../store-observer.ts';
import { storeLate } from '../store-time.ts';

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

/** The store’s own name of a request that failed; undefined where it did not answer. */
export function requestIdOf(error: unknown): string | undefined {
  const { requestId } = metadataOf(error);
  return typeof requestId === 'string' ? requestId : undefined;
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

const unreachable: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Whether there was no connection, whatever was asked for. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && unreachable.has(error.code);

/** Whether a store has too much to do: 503 and 429, by which all makers say so. */
const isSaturated = (error: unknown): boolean => [429, 503].includes(statusOf(error) ?? 0);

/** The SDK names connections that were ended in the same way, which have a code. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof Error &&
  /^(?:Abort|Timeout)Error$/.test(error.name) &&
  !['ECONNRESET', 'EPIPE'].includes(String('code' in error && error.code));

/** When a store that failed several times is asked again, in s. */
const retryAfterS = 2;

/** Names of errors for temporary keys whose time is over, which some stores answer with status 400. */
const expiredTokens: ReadonlySet<string> = new Set(['ExpiredToken', 'ExpiredTokenException', 'TokenRefreshRequired']);

/** Names of 403 by which a store keeps from a key that may not list the bucket what is missing; answers to HEAD have none. */
const keptFromKey: ReadonlySet<string> = new Set(['AccessDenied', 'Forbidden', 'Unknown', 'UnknownError', '403']);

/** Whether a store answers that there is no such object. */
export const isMissing = (error: unknown, mayList: boolean): boolean =>
  statusOf(error) === 404 ||
  (!mayList && statusOf(error) === 403 && error instanceof Error && keptFromKey.has(error.name));

/** Answers about an object: it is the same, missing, another one, or has no such range; or the store has no such operation. */
const answersOfObjects: ReadonlySet<number> = new Set([304, 404, 409, 412, 416, 501]);

/** Why a request failed, for those who watch the store; undefined for an answer about the object. */
export function failureOf(error: unknown, mayList: boolean): StoreFailure | undefined {
  if (error instanceof WrongAnswer) return 'wrong-answer';
  if (error instanceof ImageError) return undefined;
  if (error instanceof Error && error.name === 'NoSuchBucket') return 'denied';
  const status = statusOf(error);
  if (isMissing(error, mayList) || (status !== undefined && answersOfObjects.has(status))) return undefined;
  if (status === 401 || status === 403 || isClockSkew(error)) return 'denied';
  if (isSaturated(error)) return 'throttled';
  if (status !== undefined && status >= 500) return 'server-error';
  if (!(error instanceof Error)) return 'other';
  if (isTimeout(error)) return 'timeout';
  return 'code' in error && typeof error.code === 'string' ? 'connection' : 'other';
}

/** The error for the client; the cause is for the log. */
export function errorFor(failure: unknown, mayList: boolean): unknown {
  if (failure instanceof ImageError) return failure;
  // While nothing is asked, what failed last tells how it fails.
  const isOpen = failure instanceof BrokenCircuitError;
  const error = isOpen ? (failure.cause ?? failure) : failure;
  const status = statusOf(error);
  const withCause = { cause: error, ...(isOpen && { retryAfterS }) };
  // Of a bucket that was there at the start: all images would seem to be gone.
  if (error instanceof Error && error.name === 'NoSuchBucket')
    return new ImageError('store-failed', 'The object store does not have the bucket.', withCause);
  if (isMissing(error, mayList))
    return Object.assign(new Error('ENOENT: there is no such object', withCause), { code: 'ENOENT' });
  if (status === 412 || status === 416) return fileChanged(error);
  if (isClockSkew(error))
    return new ImageError('store-failed', 'The object store’s clock and that of the server differ.', withCause);
  if (status === 403 || status === 401 || (error instanceof Error && expiredTokens.has(error.name)))
    return new ImageError('store-failed', 'The object store refuses the server’s key.', withCause);
  if (isSaturated(error))
    return new ImageError('store-busy', 'The object store has too much to do; ask again later.', withCause);
  if (isTimeout(error)) return storeLate(withCause);
  if (isOpen)
    return new ImageError('store-failed', 'The object store fails at the moment; ask again later.', withCause);
  return new ImageError('store-failed', 'The object store did not answer as it should; ask again later.', withCause);
}
