/** The status and form of every error: digilib's pictures, texts and codes, and the short texts of all others. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { badRequest, ImageError, type ImageErrorCode } from '../image/model/errors.ts';
import type { FailureLog } from './failure-log.ts';
import { plainJson } from './negotiation.ts';
import { loggableAddress, targetOf } from './target.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly failures: FailureLog;
    /** What a client can do instead of what it was refused. */
    readonly adviceFor: (request: FastifyRequest) => Advice | undefined;
  }
  interface FastifyRequest {
    /** The path in the library of the image that the request names; undefined until its address is read. */
    imageName: string | undefined;
    /** The page of the folder that the path names, as the request was read; undefined for the first one. */
    imagePage: number | undefined;
    /** The folder of what the request names, once it is known that everyone may see it. */
    openFolder: string | undefined;
    /** The path of the image or the folder that the answer shows, by whose key caches are purged. */
    cacheSubject: string | undefined;
  }
}

/** What whoever is refused can do instead: addresses, of the folder that was asked for and of the library. */
export interface Advice {
  /** The data set of the folder. */
  readonly dataSet?: string;
  /** The list of changes of all manifests. */
  readonly changes?: string;
  /** Whom to ask. */
  readonly contact?: string;
}

/** The form of an error of digilib's addresses (digilib.md, section 5). */
export type ErrorForm = 'image' | 'text' | 'code';

/** The status of each code, and what it means in one sentence; the API description is made from it. */
export const errorRules: Readonly<Record<ImageErrorCode, { readonly status: number; readonly meaning: string }>> = {
  'not-found': { status: 404, meaning: 'Nothing readable has this name.' },
  damaged: { status: 404, meaning: 'The image’s file is damaged.' },
  denied: { status: 403, meaning: 'The caller may not see it.' },
  // As IIIF has it, so that viewers know what to do (Image API 3.0, section 7); digilib has 403 for both.
  'login-needed': { status: 401, meaning: 'The caller may not see it, and sent no credentials that count.' },
  'link-over': { status: 410, meaning: 'The signed link in the address has expired, was withdrawn, or was used.' },
  'bad-request': { status: 400, meaning: 'The request contradicts itself, the image, or a limit.' },
  'put-aside': {
    status: 422,
    meaning: 'The decoder of the image’s file failed before; it is not tried again until the file changes.',
  },
  'too-large': { status: 413, meaning: 'The answer would take more memory than the server gives to one.' },
  'address-too-long': { status: 414, meaning: 'The address is longer than the server reads.' },
  unsupported: { status: 501, meaning: 'The server can’t make this yet.' },
  changed: { status: 503, meaning: 'The file is being replaced.' },
  'too-slow': { status: 504, meaning: 'The picture was not ready in time.' },
  failed: { status: 500, meaning: 'What makes the picture failed.' },
  'store-failed': { status: 502, meaning: 'The object store that holds the image fails.' },
  'store-busy': { status: 503, meaning: 'The object store that holds the image has too much to do.' },
  'store-late': { status: 504, meaning: 'The object store that holds the image does not answer in time.' },
  'being-read': { status: 503, meaning: 'What the answer needs is being read or made; it says how far that is.' },
  'no-space': {
    status: 503,
    meaning: 'The server has no space on its disk for what the answer needs.',
  },
  'over-budget': {
    status: 429,
    meaning: 'Crawlers, or the caller’s network, have taken so much that what costs has to wait.',
  },
  'disk-late': { status: 503, meaning: 'The disk that holds the image does not answer in time.' },
  overloaded: { status: 503, meaning: 'Too many pictures are waiting to be made.' },
  abandoned: { status: 503, meaning: 'The client went away before the work began.' },
};

export const nothingHere = (): ImageError => new ImageError('not-found', 'There is nothing at this address.');

/** The status of a response with this error. */
export const statusOf = ({ code }: ImageError): number => errorRules[code].status;

export interface ErrorPicture {
  readonly bytes: Buffer;
  readonly mediaType: string;
}

/** The pictures that digilib's clients get instead of an image. */
export interface ErrorPictures {
  readonly notFound: ErrorPicture;
  readonly denied: ErrorPicture;
  readonly error: ErrorPicture;
}

export function pictureFor(status: number, pictures: ErrorPictures): ErrorPicture {
  if (status === 404) return pictures.notFound;
  return status === 403 || status === 410 ? pictures.denied : pictures.error;
}

interface Problem {
  readonly status: number;
  readonly code: ImageErrorCode;
  readonly message: string;
  /** For 429, 502, 503 and 504: after how many seconds the request may succeed. */
  readonly retryAfterS?: number | undefined;
  readonly advice?: Advice | undefined;
}

/** What is refused because others ask for so much. */
const refusals: ReadonlySet<ImageErrorCode> = new Set(['over-budget', 'overloaded']);

/** Whether the log says more than the client gets to know: failures of the server, and files that someone has to mend. */
const isLogged = (status: number, error: ImageError): boolean =>
  status >= 500 ? status !== 501 : error.cause !== undefined;

function report(
  { retryAfterS: _, advice: _advice, ...problem }: Problem,
  cause: unknown,
  request: FastifyRequest,
): void {
  // A client that has gone away gets no answer.
  if (problem.code === 'abandoned' && request.raw.socket.destroyed) return;
  request.server.failures.report({
    ...problem,
    ...(cause !== undefined && { cause }),
    address: loggableAddress(request.originalUrl),
    requestId: request.id,
    ...(request.imageName !== undefined && { image: request.imageName }),
  });
}

/** What Fastify refuses of the body of a request, before a route has it; anything else as it is. */
function ofBody(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new ImageError('too-large', 'The body of the request is longer than this address takes.');
  return code.startsWith('FST_ERR_CTP_') ? badRequest('The body of the request can’t be read.') : error;
}

/** What the client gets to know of an error; the details of anything but an ImageError are logged and not sent. */
function problemOf(thrown: unknown, request: FastifyRequest): Problem {
  const error = ofBody(thrown);
  if (error instanceof ImageError) {
    const { code, message, retryAfterS } = error;
    request.raw.errorCode = code;
    const advice = refusals.has(code) ? request.server.adviceFor(request) : undefined;
    const problem = { status: statusOf(error), code, message, retryAfterS, advice };
    if (isLogged(problem.status, error)) report(problem, error.cause, request);
    return problem;
  }
  const problem: Problem = {
    status: 500,
    code: 'failed',
    message: 'Something went wrong in the server; the log says what.',
  };
  request.raw.errorCode = problem.code;
  report(problem, error, request);
  return problem;
}

/** For refusals whose end can’t be estimated, in seconds. */
const defaultRetryAfterS = 5;

/** Statuses of what may succeed later. */
const passingStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Whether an answer says when to ask again. */
export const isPassing = (status: number): boolean => passingStatuses.has(status);

function begin(reply: FastifyReply, status: number, retryAfterS: number = defaultRetryAfterS): FastifyReply {
  reply.header('x-request-id', reply.request.id);
  if (isPassing(status)) reply.header('retry-after', String(retryAfterS));
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return reply.code(status).header('cache-control', 'no-store');
}

/** Sets the status and the headers of an error whose body is a page; returns the sentence for it. */
export function beginErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): string {
  const { status, message, retryAfterS } = problemOf(error, request);
  begin(reply, status, retryAfterS);
  return message;
}

const plainText = 'text/plain; charset=utf-8';

/** Whether a client reads JSON: it says so, or the address answers nothing else. */
function readsJson({ raw, headers }: FastifyRequest): boolean {
  const { path } = targetOf(raw);
  return /\bjson\b/.test(headers.accept ?? '') || path.endsWith('.json') || path.includes('/content-search/');
}

const jsonOf = ({ code, message, advice, retryAfterS = defaultRetryAfterS }: Problem): string =>
  JSON.stringify({ error: code, message, ...(advice && { retryAfterSeconds: retryAfterS, ...advice }) });

/** A sentence, and a line for each thing that can be done instead. */
const textOf = ({ message, advice = {} }: Problem): string =>
  [
    message,
    ...(advice.dataSet === undefined ? [] : [`All of this folder in one request: ${advice.dataSet}`]),
    ...(advice.changes === undefined ? [] : [`All manifests, with what has changed: ${advice.changes}`]),
    ...(advice.contact === undefined ? [] : [`Whom to ask: ${advice.contact}`]),
    '',
  ].join('\n');

/** Sends the status and one sentence; of refusals more, as JSON to whoever reads that. */
export function sendTextError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error, request);
  begin(reply, problem.status, problem.retryAfterS);
  if (problem.advice !== undefined && readsJson(request))
    return reply.header('content-type', plainJson).send(jsonOf(problem));
  return reply.type(plainText).send(textOf(problem));
}

/** Sends the status and the error as JSON, for the pages of the reading room, which explain what to do about it. */
export function sendJsonError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error, request);
  return begin(reply, problem.status, problem.retryAfterS).header('content-type', plainJson).send(jsonOf(problem));
}

export interface DigilibErrors {
  readonly pictures: ErrorPictures;
  /** The form of errors where the request names none. */
  readonly defaultForm: ErrorForm;
  /** Whether pictures and texts are sent with status 200, as digilib does. */
  readonly legacyStatus: boolean;
}

/** Sends the error in the form that a digilib request named (digilib.md, section 5). */
export function sendDigilibError(
  error: unknown,
  form: ErrorForm,
  { pictures, legacyStatus }: Pick<DigilibErrors, 'pictures' | 'legacyStatus'>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = problemOf(error, request);
  const status = problem.status === 401 ? 403 : problem.status;
  begin(reply, status, problem.retryAfterS);
  if (form === 'code') return reply.send();
  if (legacyStatus) reply.code(200);
  if (form === 'text') return reply.type(plainText).send(textOf(problem));
  const { bytes, mediaType } = pictureFor(status, pictures);
  return reply.type(mediaType).send(bytes);
}
