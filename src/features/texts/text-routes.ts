/** `GET {base_url}/api/text/{path}.json`, `.txt`, `.xml` and `.html`: the words of a page, and the file that they come from. */
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Admission } from '../../core/access/admit.ts';
import { requireTexts, textDenied } from '../../core/access/denials.ts';
import { addRoutes, type Handler } from '../../core/http/add-routes.ts';
import type { Callers } from '../../core/http/callers.ts';
import { sendJsonError } from '../../core/http/error-responses.ts';
import { plainJson } from '../../core/http/negotiation.ts';
import { privateCacheControl, type Representation, tagOf, withoutScripts } from '../../core/http/representation.ts';
import { retryWhileReplaced, sendRepresentation } from '../../core/http/send.ts';
import { pathBehind, segmentsOf, targetOf } from '../../core/http/target.ts';
import { decodeSegment } from '../../core/image/addresses/iiif-addresses.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import { type Admitted, highest, type ImageSet, isCovered } from '../../core/image/model/image-set.ts';
import { textFormats } from '../../core/image/model/text-formats.ts';
import { plainText } from '../../core/image/page-text/page-text.ts';
import { textAnswerOf } from '../../core/image/page-text/text-answer.ts';
import type { FoundText, PageTexts } from '../../core/ports.ts';

export interface TextsParts {
  readonly admission: Admission;
  readonly callers: Callers;
  readonly pageTexts: PageTexts;
  readonly contextPath: string;
  /** Whether there are rules of access, so that texts differ from caller to caller. */
  readonly guarded: boolean;
}

/** Below the context path. */
export const textPath = '/api/text';

const forms = ['json', 'txt', 'xml', 'html'] as const;

export type TextForm = (typeof forms)[number];

interface TextAddress {
  /** The decoded path of the image. */
  readonly path: string;
  readonly form: TextForm;
}

const noText = (): ImageError => new ImageError('not-found', 'There is no text of this image.');

function parseAddress(rawPath: string): TextAddress {
  const [, rawImage = '', extension] = /^(.*)\.([a-z]+)$/s.exec(rawPath) ?? [];
  const form = forms.find((one) => one === extension);
  const path = decodeSegment(rawImage);
  if (form !== undefined && path !== undefined) return { path, form };
  throw new ImageError('not-found', 'This is no address of a text; it ends with .json, .txt, .xml or .html.');
}

interface Body {
  readonly mediaType: string;
  readonly bytes: Buffer;
  readonly contentSecurityPolicy?: string;
}

async function jsonOf({ text, source }: FoundText, image: Admitted<ImageSet>, pageTexts: PageTexts): Promise<Buffer> {
  const choices = await pageTexts.choicesOf(image);
  const texts = choices.map(({ key, source: { format, name }, language }) => ({
    key,
    format,
    name,
    ...(language === undefined ? {} : { language }),
  }));
  return Buffer.from(JSON.stringify(textAnswerOf(text, highest(image), source, texts)));
}

interface WantedText {
  readonly form: TextForm;
  /** Of the text, where it is not the first one. */
  readonly key: string | undefined;
}

async function bodyOf({ form, key }: WantedText, image: Admitted<ImageSet>, { pageTexts }: TextsParts): Promise<Body> {
  if (form === 'json' || form === 'txt') {
    const found = await pageTexts.textOf(image, key);
    // Where it is covered, nobody learns whether there is one.
    if (found === undefined) throw isCovered(image) ? textDenied(image) : noText();
    if (form === 'json') return { mediaType: plainJson, bytes: await jsonOf(found, image, pageTexts) };
    return { mediaType: 'text/plain; charset=utf-8', bytes: Buffer.from(`${plainText(found.text)}\n`) };
  }
  const document = await pageTexts.documentOf(image, key);
  if (document === undefined || textFormats[document.source.format].extension !== form) throw noText();
  const { mediaType } = textFormats[document.source.format];
  return { mediaType, bytes: document.bytes, contentSecurityPolicy: withoutScripts };
}

async function serve(parts: TextsParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const target = targetOf(request.raw);
  const rawPath = pathBehind(target.path, segmentsOf(parts.contextPath + textPath));
  const { path, form } = parseAddress(rawPath);
  const key = new URLSearchParams(target.query).get('text') || undefined;
  const caller = await parts.callers.callerOf(request.raw);
  const image = await parts.admission.admit(path, 1, caller);
  // Files with places have them in pixels of the whole image.
  requireTexts(image, form === 'xml' || form === 'html' ? 'files' : 'words');
  const { bytes, ...others } = await bodyOf({ form, key }, image, parts);
  const representation: Representation = {
    ...others,
    cacheControl: parts.guarded ? privateCacheControl : 'no-cache',
    etag: tagOf(others.mediaType, bytes),
  };
  return sendRepresentation(representation, bytes, request, reply);
}

export const textRoutes: FastifyPluginCallback<TextsParts> = (server, parts, done) => {
  const answer: Handler = (request, reply) => retryWhileReplaced(() => serve(parts, request, reply));
  addRoutes(server, [`${textPath}/*`], answer, sendJsonError);
  done();
};
