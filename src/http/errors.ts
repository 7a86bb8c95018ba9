/** Every error's status and form, in one place: digilib's pictures, texts and codes, and the short texts of all others. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeFormText } from '../digilib/query.ts';
import type { ErrorForm } from '../digilib/request.ts';
import { ImageError, type ImageErrorCode } from '../image/errors.ts';

const statuses: Readonly<Record<ImageErrorCode, number>> = {
  'not-found': 404,
  denied: 403,
  // As IIIF has it, so that viewers know what to do (Image API 3.0, section 7); digilib has 403 for both.
  'login-needed': 401,
  'bad-request': 400,
  'address-too-long': 414,
  unsupported: 501,
  changed: 503,
  'too-slow': 504,
  failed: 500,
  overloaded: 503,
  abandoned: 503,
};

export interface ErrorPicture {
  readonly bytes: Buffer;
  readonly mediaType: string;
}

/** The pictures that digilib's clients see in place of an image. */
export interface ErrorPictures {
  readonly notFound: ErrorPicture;
  readonly denied: ErrorPicture;
  readonly error: ErrorPicture;
}

function pictureFor(status: number, pictures: ErrorPictures): ErrorPicture {
  if (status === 404) return pictures.notFound;
  return status === 403 ? pictures.denied : pictures.error;
}

interface Problem {
  readonly status: number;
  readonly message: string;
}

/** An address without its token, which no log may hold, in whatever spelling its name came. */
function loggable(address: string): string {
  const [path = ''] = address.split('?', 1);
  const query = address.slice(path.length);
  return /id_token/i.test(decodeFormText(query)) ? `${path}?…` : address;
}

/** What the person who asked is told; anything unforeseen is logged and told as such. */
function problemOf(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof ImageError) {
    if (error.cause !== undefined)
      request.log.warn({ err: error.cause, address: loggable(request.originalUrl) }, error.message);
    return { status: statuses[error.code], message: error.message };
  }
  request.log.error({ err: error, address: loggable(request.originalUrl) }, 'unforeseen error');
  return { status: 500, message: 'Something went wrong in the server; the log says what.' };
}

/** What the answer that failed may have said of itself already. */
const headersOfSuccess = ['etag', 'last-modified', 'content-disposition', 'content-length', 'link', 'vary'];

function begin(reply: FastifyReply, { status }: Problem): FastifyReply {
  for (const name of headersOfSuccess) reply.removeHeader(name);
  if (status === 503) reply.header('retry-after', '5');
  if (status === 401) reply.header('www-authenticate', 'Bearer');
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
  /** What a request is answered that asks for no form. */
  readonly defaultForm: ErrorForm;
  /** Whether pictures and texts are sent with status 200, as digilib does. */
  readonly legacyStatus: boolean;
}

/** Answers in the form that a digilib request asked for (digilib.md, section 5). */
export function sendDigilibError(
  error: unknown,
  form: ErrorForm,
  { pictures, legacyStatus }: Pick<DigilibErrors, 'pictures' | 'legacyStatus'>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, message } = problemOf(error, request);
  const problem = { status: status === 401 ? 403 : status, message };
  begin(reply, problem);
  if (form === 'code') return reply.send();
  if (legacyStatus) reply.code(200);
  if (form === 'text') return reply.type(plainText).send(`${problem.message}\n`);
  const { bytes, mediaType } = pictureFor(problem.status, pictures);
  return reply.type(mediaType).send(bytes);
}
