/** Compares a pair of answers: status, then type, then content; requests the status of the Scaler again where 200 may stand for an error. */
import { createHash } from 'node:crypto';
import type { Answer, Outcome } from './answer.ts';
import { type Cause, isFine, same, type Verdict } from './causes.ts';
import { type Endpoint, endpointOf, parametersOf, queryOf, withErrorCode } from './digilib.ts';
import { compareDocuments } from './documents.ts';
import type { LoggedRequest } from './log.ts';
import { comparePictures } from './pictures.ts';

export type Side = 'old' | 'new';

export interface VerdictOptions {
  /** How far apart the samples of pictures may be, 0 to 255. */
  readonly tolerance: number;
  /** Requests another target from one of the servers. */
  readonly fetch: (side: Side, target: string) => Promise<Outcome>;
}

/** Both outcomes for one request. */
export interface Pair {
  readonly request: LoggedRequest;
  readonly old: Outcome;
  readonly now: Outcome;
}

const classOf = (status: number): number => Math.floor(status / 100);

const isDenial = (status: number): boolean => status === 401 || status === 403;

const hasFailed = (outcome: Outcome): boolean =>
  outcome.kind === 'failure' || (outcome.status >= 500 && outcome.status !== 501);

const described = (outcome: Outcome): string =>
  outcome.kind === 'failure' ? outcome.reason : `status ${outcome.status}`;

function failureVerdict(old: Outcome, now: Outcome): Verdict | undefined {
  const [oldText, newText] = [described(old), described(now)];
  if (!hasFailed(old) && !hasFailed(now)) return undefined;
  if (!hasFailed(old)) return { cause: 'new-failed', detail: `${newText}; the old server: ${oldText}` };
  if (!hasFailed(now)) return { cause: 'old-failed', detail: `${oldText}; the new server: ${newText}` };
  return { cause: 'both-failed', detail: `old: ${oldText}; new: ${newText}` };
}

/** Why the new server has an error where the old one has none. */
function causeOfNewError(status: number, endpoint: Endpoint): Cause {
  if (status === 501) return 'not-made';
  if (isDenial(status)) return 'denied-new';
  if (status === 404) return endpoint === 'page' ? 'page-of-webapp' : 'missing-new';
  return endpoint === 'iiif-image' || endpoint === 'iiif-info' ? 'against-iiif' : 'other-status';
}

function causeOfOldError(status: number): Cause {
  if (isDenial(status)) return 'denied-old';
  return status === 404 ? 'missing-old' : 'other-status';
}

/** The verdict on two statuses; undefined if both are of the same class, so that the content decides. */
function statusVerdict(old: number, now: number, endpoint: Endpoint): Verdict | undefined {
  if (classOf(old) === classOf(now)) return undefined;
  const detail = `${now} instead of ${old}`;
  if (old >= 400 && now >= 400) return undefined;
  if (now >= 400) return { cause: causeOfNewError(now, endpoint), detail };
  if (old >= 400) return { cause: causeOfOldError(old), detail };
  return { cause: 'other-status', detail };
}

const sameTypes: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'text/json': 'application/json',
  'application/ld+json': 'application/json',
  'application/xml': 'text/xml',
  'application/javascript': 'text/javascript',
  'application/x-javascript': 'text/javascript',
};

const plainType = ({ type }: Answer): string => sameTypes[type] ?? type;

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 12);

function compareBytes(old: Buffer, now: Buffer): Verdict {
  if (old.equals(now)) return same;
  const lengths = old.length === now.length ? '' : `${now.length} bytes instead of ${old.length}; `;
  return { cause: 'other-content', detail: `${lengths}SHA-256 ${hashOf(now)}… instead of ${hashOf(old)}…` };
}

/** Compares the last two segments of where redirects lead: the servers have other base addresses. */
function compareLocations(old: Answer, now: Answer): Verdict {
  const tailOf = (location: string): string =>
    location
      .replace(/^https?:\/\/[^/]*/, '')
      .split('/')
      .slice(-2)
      .join('/');
  if (tailOf(old.location) === tailOf(now.location)) return same;
  return { cause: 'other-content', detail: `leads to ${now.location} instead of ${old.location}` };
}

/** Whether the new server answers with the page of its reading room, which has a `meta` element of this name. */
const isReadingRoom = (type: string, now: Answer): boolean =>
  type === 'text/html' && now.body.includes('<meta name="lectern"');

async function compareContents({ request }: Pair, old: Answer, now: Answer, tolerance: number): Promise<Verdict> {
  const [before, after] = [plainType(old), plainType(now)];
  if (before !== after) {
    return { cause: 'other-type', detail: `${now.type || 'no type'} instead of ${old.type || 'no type'}` };
  }
  if (request.method === 'HEAD' || old.body.equals(now.body)) return same;
  if (after.startsWith('image/') && after !== 'image/svg+xml') {
    const parameters = parametersOf(endpointOf(request.target) === 'scaler' ? queryOf(request.target) : '');
    const verdict = comparePictures({ old: old.body, now: now.body, tolerance, parameters });
    return verdict.catch(() => ({ cause: 'other-content', detail: 'a picture can’t be read' }));
  }
  if (isReadingRoom(after, now)) return { cause: 'reading-room', detail: '' };
  const form = after === 'application/json' ? 'json' : after === 'text/xml' ? 'xml' : undefined;
  if (form === undefined) return compareBytes(old.body, now.body);
  const { target } = request;
  return compareDocuments({ form, old: old.body, now: now.body, endpoint: endpointOf(target), query: queryOf(target) });
}

/** The verdict without further requests. */
async function answersVerdict(pair: Pair, old: Answer, now: Answer, tolerance: number): Promise<Verdict> {
  const byStatus = statusVerdict(old.status, now.status, endpointOf(pair.request.target));
  if (byStatus !== undefined) return byStatus;
  // Each server has its own error texts and pictures.
  if (old.status >= 400) return same;
  if (classOf(old.status) === 3) return compareLocations(old, now);
  if (old.isCut || now.isCut) return { cause: 'too-long', detail: '' };
  return compareContents(pair, old, now, tolerance);
}

/** The status that a Scaler's answer under 200 stands for. If the second request fails, the first answer counts. */
async function trueStatus(side: Side, answer: Answer, target: string, fetch: VerdictOptions['fetch']): Promise<number> {
  if (answer.status !== 200) return answer.status;
  const outcome = await fetch(side, withErrorCode(target));
  return outcome.kind === 'answer' && classOf(outcome.status) === 4 ? outcome.status : answer.status;
}

/** The verdict if an error is sent with status 200; undefined otherwise. */
async function hiddenErrorVerdict(
  target: string,
  old: Answer,
  now: Answer,
  fetch: VerdictOptions['fetch'],
): Promise<Verdict | undefined> {
  const [before, after] = [await trueStatus('old', old, target, fetch), await trueStatus('new', now, target, fetch)];
  if (before === old.status && after === now.status) return undefined;
  if (before >= 400 && after >= 400) {
    const detail = `${now.status} instead of ${old.status}, which stands for ${before}`;
    return { cause: classOf(old.status) === classOf(now.status) ? 'own-error' : 'true-status', detail };
  }
  const verdict = statusVerdict(before, after, 'scaler');
  return verdict && { ...verdict, detail: `${verdict.detail}, as asked with mo=errcode` };
}

/** The verdict on two outcomes of the same request. */
export async function verdictOf(pair: Pair, { tolerance, fetch }: VerdictOptions): Promise<Verdict> {
  const { request, old, now } = pair;
  const failed = failureVerdict(old, now);
  if (failed !== undefined || old.kind === 'failure' || now.kind === 'failure') return failed ?? same;
  const verdict = await answersVerdict(pair, old, now, tolerance);
  if (isFine(verdict) || endpointOf(request.target) !== 'scaler') return verdict;
  return (await hiddenErrorVerdict(request.target, old, now, fetch)) ?? verdict;
}
