/** The IIIF Image API under `/iiif/{version}/` and under digilib's prefixes `/Scaler/IIIF[/{version}]/`. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type IiifAddress, parseAddress } from '../../iiif/address.ts';
import { canonicalPath } from '../../iiif/canonical.ts';
import { parseImagePath } from '../../iiif/image-path.ts';
import { imageInformation } from '../../iiif/info.ts';
import { type Version, versions } from '../../iiif/version.ts';
import { ImageError } from '../../image/errors.ts';
import type { Admitted, ImageSet } from '../../image/image-set.ts';
import { sendTextError } from '../errors.ts';
import { pathBehind, targetOf } from '../origin.ts';
import { sendDocument } from '../send-document.ts';
import { answerUnchanged, sendImage } from '../send-image.ts';
import { cacheControlOf, type Service } from '../service.ts';

/** Where one version of the API answers. */
export interface IiifPlace {
  /** The path before the identifier, without a slash at its end. */
  readonly prefix: string;
  readonly version: Version;
}

function requireAddress(rawPath: string, { rawSlashes, iiifSlash }: Service): IiifAddress {
  const address = parseAddress(rawPath, rawSlashes, iiifSlash);
  if (address === undefined) {
    throw new ImageError(
      'not-found',
      `This is no IIIF address; its form is {identifier}/{region}/{size}/{rotation}/{quality}.{format} or {identifier}/info.json, with ${iiifSlash} or %2F for the slashes of the identifier.`,
    );
  }
  return address;
}

/** The path up to the identifier as it was sent, so that `id` is the address that was asked for. */
const rawPrefix = (path: string, prefixSegments: number): string =>
  path
    .split('/')
    .slice(0, prefixSegments + 1)
    .join('/');

function sendInformation(
  id: string,
  document: object,
  version: Version,
  cacheControl: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const linked = `application/ld+json;profile="${versions[version].context}"`;
  const mediaType = wantsPlainJson(request) ? 'application/json; charset=utf-8' : linked;
  reply.header('link', linksTo(`${id}/info.json`, version));
  return sendDocument(Buffer.from(JSON.stringify(document, undefined, 2)), mediaType, cacheControl, request, reply);
}

/** An address inside of a header, in which only characters of addresses may stand. */
const headerAddress = (address: string): string =>
  address.replace(/[^\w\-.~:/?#[\]@!$&'()*+,;=%]/g, (character) => encodeURIComponent(character));

/** What the answer's own address would be, and the level of compliance (Image API, sections 4.7 and 6). */
const linksTo = (canonical: string, version: Version): string =>
  `<${headerAddress(canonical)}>;rel="canonical", <${versions[version].profile}>;rel="profile"`;

/** JSON-LD is sent to those who name it; all others get plain JSON, which every browser shows. */
const wantsPlainJson = (request: FastifyRequest): boolean => !request.headers.accept?.includes('application/ld+json');

/** The first of an identifier's meanings that there is; of none, what is wrong with the likeliest. */
async function admitFirst(
  identifiers: readonly string[],
  service: Service,
  request: FastifyRequest,
): Promise<Admitted<ImageSet>> {
  const caller = await service.callers.callerOf(request.raw);
  let first: unknown;
  for (const identifier of identifiers) {
    try {
      return await service.admission.admit(identifier, 1, caller);
    } catch (error) {
      if (!(error instanceof ImageError) || error.code !== 'not-found') throw error;
      first ??= error;
    }
  }
  throw first;
}

/** The address of the manifest of the image's folder. */
export function manifestOf(image: ImageSet, { contextPath }: Service, request: FastifyRequest): string {
  const folder = image.identifier.segments.slice(0, -1).map((name) => `${encodeURIComponent(name)}/`);
  return `${request.origin}${contextPath}/presentation/3/${folder.join('')}manifest.json`;
}

async function serve(
  place: IiifPlace,
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { path } = targetOf(request.raw);
  const prefixSegments = place.prefix.split('/').length - 1;
  const address = requireAddress(pathBehind(path, prefixSegments), service);
  const id = `${request.origin}${rawPrefix(path, prefixSegments)}/${address.rawIdentifier}`;
  const image = await admitFirst(address.identifiers, service, request);
  switch (address.kind) {
    case 'base':
      return reply.redirect(`${headerAddress(id)}/info.json`, 303);
    case 'info': {
      const document = imageInformation[place.version](image, {
        id,
        limits: service.limits,
        manifest: manifestOf(image, service, request),
      });
      return sendInformation(id, document, place.version, cacheControlOf(image.isOpen, service), request, reply);
    }
    case 'image': {
      const asked = parseImagePath(address.path, place.version);
      const answer = service.images.answer(asked, image);
      const canonical = canonicalPath(asked, address.path, image, place.version, service.limits);
      reply.header('link', linksTo(`${id}/${canonical}`, place.version));
      return sendImage(answer, cacheControlOf(image.isOpen, service), request, reply);
    }
  }
}

/** All places; the first of a version is the server’s own, the others are digilib's. */
export function iiifPlaces(base: string, service: Service): readonly IiifPlace[] {
  const all: readonly Version[] = [1, 2, 3];
  const own = all.map((version): IiifPlace => ({ prefix: `${base}/iiif/${version}`, version }));
  const digilibs = ['/Scaler', '/servlet/Scaler']
    .map((name) => `${name}/${service.iiifPrefix}`)
    .flatMap((name): IiifPlace[] => [
      { prefix: `${base}${name}`, version: service.defaultIiifVersion },
      ...all.map((version) => ({ prefix: `${base}${name}/${version}`, version })),
    ]);
  return [...own, ...digilibs];
}

/** Adds the routes. */
export function iiifRoutes(server: FastifyInstance, base: string, service: Service): void {
  for (const place of iiifPlaces(base, service)) {
    server.route({
      method: ['GET', 'HEAD'],
      url: `${place.prefix}/*`,
      async handler(request, reply) {
        try {
          return await answerUnchanged(() => serve(place, service, request, reply));
        } catch (error) {
          return sendTextError(error, request, reply);
        }
      },
    });
  }
}
