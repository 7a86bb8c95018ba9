/** The IIIF Image API under `/iiif/{version}/` and under digilib's prefixes `/Scaler/IIIF[/{version}]/`. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { canonicalPath } from '../../iiif/canonical.ts';
import { parseImagePath } from '../../iiif/image-path.ts';
import { imageInformation } from '../../iiif/info.ts';
import { type Version, versions } from '../../iiif/version.ts';
import type { Admitted, ImageSet } from '../../image/image-set.ts';
import { admitFirst, type IiifPlace, iiifPlaces, requireIiifAddress, segmentsOf } from '../asked-picture.ts';
import { sendTextError } from '../errors.ts';
import { pathBehind, targetOf } from '../origin.ts';
import { sendDocument } from '../send-document.ts';
import { sendExplanation, wantsExplanation } from '../send-explanation.ts';
import { answerUnchanged, sendImage } from '../send-image.ts';
import { cacheControlOf, type Service } from '../service.ts';

/** The path up to the identifier as it was sent, so that `id` is the address that was asked for. */
const rawPrefix = (path: string, prefixSegments: number): string =>
  path
    .split('/')
    .slice(0, prefixSegments + 1)
    .join('/');

/** Sends the info.json of an image whose address up to the identifier, without a slash at its end, is `id`. */
export function sendInformation(
  id: string,
  version: Version,
  image: Admitted<ImageSet>,
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const manifest = manifestOf(image, service, request);
  const document = imageInformation[version](image, { id, limits: service.limits, manifest });
  const cacheControl = cacheControlOf(image.isOpen, service);
  const linked = `application/ld+json;profile="${versions[version].context}"`;
  const mediaType = wantsPlainJson(request) ? 'application/json; charset=utf-8' : linked;
  reply.header('link', linksTo(`${id}/info.json`, version));
  return sendDocument(Buffer.from(JSON.stringify(document, undefined, 2)), mediaType, cacheControl, request, reply);
}

/** An address inside of a header, in which only characters of addresses may stand. */
const headerAddress = (address: string): string =>
  address.replace(/[^\w\-.~:/?#[\]@!$&'()*+,;=%]/g, (character) => encodeURIComponent(character));

/** What the answer's own address would be, and the level of compliance (Image API, sections 4.7 and 6). */
const linksTo = (canonical: string, version: Version): string => `<${headerAddress(canonical)}${linkRest(version)}`;

const linkRest = (version: Version): string => `>;rel="canonical", <${versions[version].profile}>;rel="profile"`;

/** JSON-LD is sent to those who name it; all others get plain JSON, which every browser shows. */
const wantsPlainJson = (request: FastifyRequest): boolean => !request.headers.accept?.includes('application/ld+json');

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
  const prefixSegments = segmentsOf(place.prefix);
  const address = requireIiifAddress(pathBehind(path, prefixSegments), service);
  const id = `${request.origin}${rawPrefix(path, prefixSegments)}/${address.rawIdentifier}`;
  const where = { identifiers: address.identifiers, page: 1 };
  const image = await admitFirst(where, service.admission, await service.callers.callerOf(request.raw));
  switch (address.kind) {
    case 'base':
      return reply.redirect(`${headerAddress(id)}/info.json`, 303);
    case 'info':
      return sendInformation(id, place.version, image, service, request, reply);
    case 'image': {
      const asked = parseImagePath(address.path, place.version);
      if (wantsExplanation(request, service)) {
        return sendExplanation(await service.images.explain(asked, image), reply);
      }
      const answer = service.images.answer(asked, image);
      const canonical = canonicalPath(asked, address.path, image, place.version, service.limits);
      const { origin } = request;
      const link = { path: headerAddress(`${id.slice(origin.length)}/${canonical}`), rest: linkRest(place.version) };
      service.lane.learn(request.raw, { asked: where, image, answer, link });
      reply.header('link', `<${origin}${link.path}${link.rest}`);
      return sendImage(answer, cacheControlOf(image.isOpen, service), request, reply);
    }
  }
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
