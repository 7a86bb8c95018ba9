/** The status and form of every error: digilib's pictures, texts and codes, and the short texts of all others. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ImageError, type ImageErrorCode } from '../image/model/errors.ts';
import type { FailureLog } from './failure-log.ts';
import { plainJson } from './negotiation.ts';
import { loggableAddress } from './target.ts';

declare module 'fastify' {
  interface FastifyInstance {
    readonly failures: FailureLog;
  }
  interface FastifyRequest {
    /** The path in the library of the image that the request names; undefined until its address is read. */
    imageName: string | undefined;
    /** The page of the folder that the path names, as the request was read; undefined for the first one. */
    imagePage: number | undefined;
  }
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
}

/** Whether the log says more than the client gets to know: failures of the server, and files that someone has to mend. */
const isLogged = (status: number, error: ImageError): boolean =>
  status >= 500 ? status !== 501 : error.cause !== undefined;

function report({ retryAfterS: _, ...problem }: Problem, cause: unknown, request: FastifyRequest): void {
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

/** What the client gets to know of an error; the details of anything but an ImageError are logged and not sent. */
function problemOf(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof ImageError) {
    const { code, message, retryAfterS } = error;
    const problem = { status: statusOf(error), code, message, retryAfterS };
    if (isLogged(problem.status, error)) report(problem, error.cause, request);
    return problem;
  }
  const problem: Problem = {
    status: 500,
    code: 'failed',
    message: 'Something went wrong in the server; the log says what.',
  };
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

/** Sends the status and one sentence. */
export function sendTextError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, message, retryAfterS } = problemOf(error, request);
  return begin(reply, status, retryAfterS).type(plainText).send(`${message}\n`);
}

/** Sends the status and the error as JSON, for the pages of the reading room, which explain what to do about it. */
export function sendJsonError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, code, message, retryAfterS } = problemOf(error, request);
  const body = JSON.stringify({ error: code, message });
  return begin(reply, status, retryAfterS).header('content-type', plainJson).send(body);
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
  const { status: own, message, retryAfterS } = problemOf(error, request);
  const status = own === 401 ? 403 : own;
  begin(reply, status, retryAfterS);
  if (form === 'code') return reply.send();
  if (legacyStatus) reply.code(200);
  if (form === 'text') return reply.type(plainText).send(`${message}\n`);
  const { bytes, mediaType } = pictureFor(status, pictures);
  return reply.type(mediaType).send(bytes);
}
