/** Every error's status and form, in one place: digilib's pictures, texts and codes, and the short texts of all others. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorForm } from '../digilib/request.ts';
import { ImageError, type ImageErrorCode } from '../image/errors.ts';

const statuses: Readonly<Record<ImageErrorCode, number>> = {
  'not-found': 404,
  denied: 403,
  'bad-request': 400,
  'address-too-long': 414,
  unsupported: 501,
  changed: 503,
  overloaded: 503,
  abandoned: 503,
};

/** The status of an answer that says this error. */
export const statusOf = ({ code }: ImageError): number => statuses[code];

/** The pictures that digilib's clients see in place of an image, as PNG. */
export interface ErrorPictures {
  readonly notFound: Buffer;
  readonly denied: Buffer;
  readonly error: Buffer;
}

function pictureFor(status: number, pictures: ErrorPictures): Buffer {
  if (status === 404) return pictures.notFound;
  return status === 403 ? pictures.denied : pictures.error;
}

interface Problem {
  readonly status: number;
  readonly message: string;
}

/** An address without its token, which no log may hold. */
const loggable = (address: string): string => address.replace(/(id_token=)[^&;#]*/gi, '$1…');

/** What the person who asked is told; anything unforeseen is logged and told as such. */
function problemOf(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof ImageError) {
    if (error.cause !== undefined)
      request.log.warn({ err: error.cause, address: loggable(request.originalUrl) }, error.message);
    return { status: statusOf(error), message: error.message };
  }
  request.log.error({ err: error, address: loggable(request.originalUrl) }, 'unforeseen error');
  return { status: 500, message: 'Something went wrong in the server; the log says what.' };
}

/** What the answer that failed may have said of itself already. */
const headersOfSuccess = ['etag', 'last-modified', 'content-disposition', 'content-length', 'link', 'vary'];

function begin(reply: FastifyReply, { status }: Problem): FastifyReply {
  for (const name of headersOfSuccess) reply.removeHeader(name);
  if (status === 503) reply.header('retry-after', '5');
  return reply.code(status).header('cache-control', 'no-store');
}

const plainText = 'text/plain; charset=utf-8';

/** Answers with the status and one sentence. */
export function sendTextError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error, request);
  return begin(reply, problem).type(plainText).send(`${problem.message}\n`);
}

export interface DigilibErrors {
  readonly pictures: ErrorPictures;
  /** Whether pictures and texts are sent with status 200, as digilib does. */
  readonly legacyStatus: boolean;
}

/** Answers in the form that a digilib request asked for (digilib.md, section 5). */
export function sendDigilibError(
  error: unknown,
  form: ErrorForm,
  { pictures, legacyStatus }: DigilibErrors,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = problemOf(error, request);
  begin(reply, problem);
  if (form === 'code') return reply.send();
  if (legacyStatus) reply.code(200);
  if (form === 'text') return reply.type(plainText).send(`${problem.message}\n`);
  return reply.type('image/png').send(pictureFor(problem.status, pictures));
}
