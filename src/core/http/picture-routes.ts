/** Pictures and info.json: digilib's Scaler at all its addresses (digilib.md, section 5), and the IIIF Image API. */
import type { IncomingMessage } from 'node:http';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { type Admission, admitFirst } from '../access/admit.ts';
import type { Explanation } from '../answers/images.ts';
import { ImageError } from '../image/model/errors.ts';
import { formatIdentifier, parseIdentifier } from '../image/model/identifier.ts';
import type { Admitted, ImageSet } from '../image/model/image-set.ts';
import type { Ports } from '../ports.ts';
import { isWholeForAll, servicesIn, type WithServices } from './access-services.ts';
import { addRoutes, type Handler } from './add-routes.ts';
import type { Callers } from './callers.ts';
import { beginErrorPage, type DigilibErrors, sendDigilibError, sendTextError } from './error-responses.ts';
import { isFailureOfOpenImage, throwRecordedFailure } from './fast-path/fast-path.ts';
import { headerAddress, type ImageAddresses, type ImageQuery, linkFor } from './image-queries.ts';
import { type ImageResponse, type ImageResponseParts, respondWithImage } from './image-response.ts';
import { linkedJsonOf, plainJson, prefersLinkedJson } from './negotiation.ts';
import { pictureCacheControl } from './picture-versions.ts';
import {
  documentRepresentation,
  pictureRepresentation,
  privateCacheControl,
  type Representation,
} from './representation.ts';
import { recordStage, type WorkRules } from './request-context.ts';
import { markOpen } from './restricted-readers.ts';
import { retryWhileReplaced, sendPicture, sendRepresentation } from './send.ts';
import { subjectOf } from './shared-caches.ts';
import { targetOf } from './target.ts';

interface ImageRoutesParts extends ImageResponseParts, WorkRules {
  readonly addresses: ImageAddresses;
  readonly admission: Admission;
  readonly callers: Callers;
  readonly errors: DigilibErrors;
  readonly ports: Pick<Ports, 'accessServices'>;
  /** Whether there are rules of access. */
  readonly guarded: boolean;
  /** The `Cache-Control` of what everyone may see. */
  readonly cacheControl: string;
}

function sendExplanation({ lines }: Explanation, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const body = `${JSON.stringify({ lines }, undefined, 2)}\n`;
  return sendRepresentation({ mediaType: plainJson, cacheControl: 'no-store' }, body, request, reply);
}

function sendInformation(
  { context, textFor, link }: Extract<ImageResponse, { kind: 'info' }>,
  { cacheControl, version }: Pick<Representation, 'cacheControl' | 'version'>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const mediaType = prefersLinkedJson(request.headers.accept) ? linkedJsonOf(context) : plainJson;
  const body = Buffer.from(textFor(request.origin));
  const representation = documentRepresentation(body, mediaType, cacheControl, linkFor(request.origin, link));
  return sendRepresentation({ ...representation, version }, body, request, reply);
}

/**
 * Where an address of the whole image leads a caller who may see a tier of it (Authentication API 1.0, tiered access); undefined for
 * other addresses. Throws the ImageError of a caller without access where it names pixels of the whole image.
 */
function pathInTier(query: ImageQuery, { terms }: Admitted<ImageSet>): string | undefined {
  const { pathInTier: pathOf, kind } = query;
  // The base address leads to info.json, which leads to the tier.
  if (pathOf === undefined || terms === undefined || terms.isNamed || kind === 'redirect-to-info') return undefined;
  const path = pathOf(terms.tier.name);
  if (path === undefined) throw new ImageError(terms.denial, 'You may see this image smaller only.');
  return path;
}

/** How info.json says what the caller can do to see more; undefined where there is nothing to say. */
async function servicesFor(
  { kind }: ImageQuery,
  image: Admitted<ImageSet>,
  { ports, contextPath }: ImageRoutesParts,
  request: FastifyRequest,
): Promise<WithServices | undefined> {
  if (kind !== 'info' || ports.accessServices === undefined || isWholeForAll(image)) return undefined;
  const services = await ports.accessServices(`${request.origin}${contextPath}`);
  return servicesIn(services, contextPath, !image.terms?.isNamed || !image.isOpen);
}

/** The whole image of a tier, where everyone with the tier may know its size: for info.json of 3.0 alone, as of Auth 2. */
function wholeDescribed(
  query: ImageQuery,
  image: Admitted<ImageSet>,
  { admission }: ImageRoutesParts,
): ImageSet | undefined {
  const isOfVersion3 = query.kind === 'info' && query.pathInTier !== undefined && query.form.version === 3;
  return isOfVersion3 ? admission.describedWhole(image) : undefined;
}

/** The answer to a caller that may know nothing of an image, which says how to sign in; undefined for other errors. */
async function sendClosedInformation(
  error: unknown,
  query: ImageQuery,
  { ports, contextPath }: ImageRoutesParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const isClosed = error instanceof ImageError && (error.code === 'login-needed' || error.code === 'denied');
  if (!isClosed || query.errorForm !== undefined || ports.accessServices === undefined) return undefined;
  const path = targetOf(request.raw).path;
  if (query.kind === 'redirect-to-info')
    return reply
      .header('cache-control', 'no-store')
      .redirect(`${request.origin}${path.replace(/\/$/, '')}/info.json`, 303);
  if (query.kind !== 'info') return undefined;
  const services = await ports.accessServices(`${request.origin}${contextPath}`);
  const imagePath = path.replace(/\/info\.json$/, '');
  const document = query.form.closed(request.origin + imagePath);
  const body = servicesIn(services, contextPath, true)(document, query.form, imagePath);
  // A member of our own says why: viewers ignore those that they don’t know.
  const message = beginErrorPage(error, request, reply);
  return reply.type(plainJson).send(`${JSON.stringify({ ...body, message }, undefined, 2)}\n`);
}

async function serve(
  query: ImageQuery,
  parts: ImageRoutesParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (isFailureOfOpenImage(request.raw)) request.openFolder = folderOf(request);
  throwRecordedFailure(request.raw);
  if (query.kind === 'invalid' && query.identifiers.length === 0) throw query.error;
  const startMs = performance.now();
  const image = await admitFirst(query, parts.admission, await parts.callers.callerOf(request.raw));
  recordStage(request.raw, 'admission', performance.now() - startMs);
  if (image.terms?.isForAll) markOpen(request.raw);
  else if (image.terms === undefined && image.isOpen) request.openFolder = folderOf(request);
  const services = await servicesFor(query, image, parts, request);
  const described = services === undefined ? undefined : wholeDescribed(query, image, parts);
  const otherPath = described === undefined ? pathInTier(query, image) : undefined;
  if (otherPath !== undefined) {
    reply.header('cache-control', privateCacheControl);
    const { query: behind } = targetOf(request.raw);
    const path = behind === '' ? otherPath : `${otherPath}?${behind}`;
    return reply.redirect(`${request.origin}${headerAddress(path)}`, 302);
  }
  const response = respondWithImage(query, image, parts, { withServices: services, described });
  request.cacheSubject = subjectOf(image);
  const usual = image.isOpen ? parts.cacheControl : privateCacheControl;
  switch (response.kind) {
    case 'picture': {
      const link = response.link && linkFor(request.origin, response.link);
      const cacheControl = pictureCacheControl(image, query.version, parts.images.versionOf, usual);
      const representation = pictureRepresentation(response.answer, cacheControl, link);
      return sendPicture(response.answer, representation, parts, request, reply);
    }
    case 'explanation':
      return sendExplanation(await response.explain(), request, reply);
    case 'info': {
      const version = image.isOpen ? parts.images.versionOf(image) : undefined;
      return sendInformation(response, { cacheControl: usual, version }, request, reply);
    }
    case 'redirect':
      return reply.redirect(`${request.origin}${headerAddress(response.path)}`, 303);
  }
}

/** The path of the image that a query names, in one spelling, for the log. */
function nameOf({ identifiers: [first] }: ImageQuery): string | undefined {
  const identifier = first === undefined ? undefined : parseIdentifier(first);
  return identifier && formatIdentifier(identifier);
}

/** The path of the image that the address of a request names; undefined where it is none of an image. */
export function imageNameIn(request: IncomingMessage, addresses: ImageAddresses): string | undefined {
  const mount = addresses.mountOf(targetOf(request).path);
  return mount && nameOf(addresses.queryOf(request, mount));
}

/** The folder of the image that a request names; undefined for the library as a whole. */
const folderOf = ({ imageName = '' }: FastifyRequest): string | undefined => /^(.+)\/[^/]+$/.exec(imageName)?.[1];

/** Adds a route for each mount; the Scaler has one without a path too. */
export const imageRoutes: FastifyPluginCallback<ImageRoutesParts> = (server, parts, done) => {
  const { addresses, errors } = parts;
  for (const mount of addresses.mounts) {
    const urls = [...(mount.isAddress ? [mount.prefix] : []), `${mount.prefix}/*`];
    const answer: Handler = (request, reply) => {
      const query = addresses.queryOf(request.raw, mount);
      request.imageName = nameOf(query);
      if (!parts.guarded) request.openFolder = folderOf(request);
      if (query.page !== 1) request.imagePage = query.page;
      if (query.kind === 'info' || query.kind === 'redirect-to-info') request.kind = 'info-json';
      return retryWhileReplaced(() => serve(query, parts, request, reply)).catch(async (error: unknown) => {
        const sent = await sendClosedInformation(error, query, parts, request, reply);
        if (sent === undefined) throw error;
        return sent;
      });
    };
    addRoutes(server, urls, answer, (error, request, reply) => {
      const { errorForm } = addresses.queryOf(request.raw, mount);
      if (errorForm === undefined) return sendTextError(error, request, reply);
      return sendDigilibError(error, errorForm, errors, request, reply);
    });
  }
  done();
};
