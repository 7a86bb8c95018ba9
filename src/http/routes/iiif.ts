/** The IIIF Image API under `/iiif/{version}/` and under digilib's prefixes `/Scaler/IIIF[/{version}]/`. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { imageInformation } from '../../iiif/info.ts';
import { type Version, versions } from '../../iiif/version.ts';
import type { Admitted, ImageSet } from '../../image/model/image-set.ts';
import { sendTextError } from '../errors.ts';
import type { KnownAnswer } from '../fast-path/image-fast-path.ts';
import { type IiifMount, iiifMounts, rawPrefix, requireIiifAddress, segmentsOf } from '../iiif-mounts.ts';
import { iiifPicture } from '../iiif-query.ts';
import { admitFirst } from '../image-query.ts';
import { headerAddress, linkFor, linkTo } from '../link-header.ts';
import { linkedJsonOf, plainJson, prefersLinkedJson } from '../negotiation.ts';
import { pathBehind, targetOf } from '../origin.ts';
import { sendDocument } from '../send-document.ts';
import { sendExplanation, wantsExplanation } from '../send-explanation.ts';
import { answerUnchanged, sendImage } from '../send-image.ts';
import { cacheControlOf, type Service } from '../service.ts';

/** An image whose info.json is asked for. */
interface AskedInformation {
  /** The path up to the identifier and with it, without a slash at its end, from the context path on. */
  readonly path: string;
  readonly version: Version;
  readonly asked: KnownAnswer['asked'];
  readonly image: Admitted<ImageSet>;
}

/** Stands for the origin in a text that holds no host. */
const anyOrigin = '\u0001';

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The text of info.json for each origin that it can be asked by. */
function informationText({ path, version, image }: AskedInformation, service: Service): (origin: string) => string {
  const id = `${anyOrigin}${path}`;
  const manifest = anyOrigin + manifestPath(image, service);
  const document = imageInformation[version](image, { id, limits: service.limits, manifest });
  const pieces = JSON.stringify(document, undefined, 2).split(inJson(anyOrigin));
  return (origin) => pieces.join(inJson(origin));
}

/** Sends the info.json of an image. */
export function sendInformation(
  information: AskedInformation,
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { path, version, asked, image } = information;
  const textFor = informationText(information, service);
  const link = linkTo(`${path}/info.json`, version);
  const isPlain = !prefersLinkedJson(request.headers.accept);
  if (isPlain) service.fastPath.remember(request.raw, { kind: 'document', asked, image, textFor, link });
  const mediaType = isPlain ? plainJson : linkedJsonOf(versions[version].context);
  reply.header('link', linkFor(request.origin, link));
  const body = Buffer.from(textFor(request.origin));
  return sendDocument(body, mediaType, cacheControlOf(image.isOpen, service), request, reply);
}

/** The path of the manifest of the image's folder. */
export function manifestPath(image: ImageSet, { contextPath }: Service): string {
  const folder = image.identifier.segments.slice(0, -1).map((name) => `${encodeURIComponent(name)}/`);
  return `${contextPath}/presentation/3/${folder.join('')}manifest.json`;
}

async function serve(
  place: IiifMount,
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  service.fastPath.requireNoFailure(request.raw);
  const { path } = targetOf(request.raw);
  const prefixSegments = segmentsOf(place.prefix);
  const address = requireIiifAddress(pathBehind(path, prefixSegments), service);
  const imagePath = `${rawPrefix(path, prefixSegments)}/${address.rawIdentifier}`;
  const where = { identifiers: address.identifiers, page: 1 };
  const image = await admitFirst(where, service.admission, await service.callers.callerOf(request.raw));
  switch (address.kind) {
    case 'base':
      return reply.redirect(`${request.origin}${headerAddress(imagePath)}/info.json`, 303);
    case 'info':
      return sendInformation({ path: imagePath, version: place.version, asked: where, image }, service, request, reply);
    case 'image': {
      const asked = iiifPicture(address, rawPrefix(path, prefixSegments), place.version);
      if (wantsExplanation(request, service)) {
        return sendExplanation(await service.images.explain(asked.request, image), reply);
      }
      const answer = service.images.answer(asked.request, image);
      const link = asked.linkTo(answer);
      service.fastPath.remember(request.raw, { kind: 'picture', asked: where, image, answer, link });
      reply.header('link', linkFor(request.origin, link));
      return sendImage(answer, cacheControlOf(image.isOpen, service), request, reply);
    }
  }
}

/** Adds the routes. */
export function iiifRoutes(server: FastifyInstance, base: string, service: Service): void {
  for (const place of iiifMounts(base, service)) {
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
