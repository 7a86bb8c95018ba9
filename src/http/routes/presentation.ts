/** Manifests and collections: under `/presentation/{version}/`, and under digilib's `/Manifester/IIIF[/{version}]/`. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Additions, withAdditions } from '../../iiif/presentation/additions.ts';
import {
  type FolderAddress,
  parseManifesterAddress,
  parsePresentationAddress,
} from '../../iiif/presentation/address.ts';
import {
  foldersBelow,
  imageServicesBelow,
  type ManifestAddresses,
  manifesterAddresses,
  presentationAddresses,
} from '../../iiif/presentation/addresses.ts';
import { collection2, manifest2 } from '../../iiif/presentation/manifest-2.ts';
import { collection3, manifest3 } from '../../iiif/presentation/manifest-3.ts';
import type { FolderDescription } from '../../image/folder/folder-description.ts';
import { ImageError } from '../../image/model/errors.ts';
import type { CollectionAnswer, ManifestAnswer } from '../../service/present.ts';
import { sendTextError } from '../errors.ts';
import { linkedJsonOf, plainJson, prefersLinkedJson } from '../negotiation.ts';
import { pathBehind, targetOf } from '../origin.ts';
import { sendDocument } from '../send-document.ts';
import { answerUnchanged } from '../send-image.ts';
import { cacheControlOf, type Service } from '../service.ts';
import { servletPaths } from '../servlets.ts';

type Version = 2 | 3;

/** Where manifests of one version answer. */
export interface PresentationPlace {
  readonly dialect: 'presentation' | 'manifester';
  /** The path before the folder, without a slash at its end. */
  readonly prefix: string;
  readonly version: Version;
}

export const contexts: Readonly<Record<Version, string>> = {
  2: 'http://iiif.io/api/presentation/2/context.json',
  3: 'http://iiif.io/api/presentation/3/context.json',
};

interface Document {
  readonly body: Buffer;
  readonly mediaType: string;
}

type Answer = Document | { readonly redirect: string };

const formOf = (dialect: PresentationPlace['dialect'], slash: string): string =>
  dialect === 'presentation'
    ? '{folder}/manifest.json or {folder}/collection.json'
    : `{identifier}/manifest, with ${slash} or %2F for the slashes of the identifier`;

function requireAddress(rawPath: string, dialect: PresentationPlace['dialect'], slash: string): FolderAddress {
  const parse = dialect === 'presentation' ? parsePresentationAddress : parseManifesterAddress;
  const address = parse(rawPath, slash);
  if (address !== undefined) return address;
  throw new ImageError('not-found', `This is no address of a manifest; its form is ${formOf(dialect, slash)}.`);
}

/** The answer for the first of the paths at which there is something. */
async function firstFound<T>(paths: FolderAddress['paths'], ask: (path: string) => Promise<T>): Promise<T> {
  const [path, ...others] = paths;
  const [next, ...rest] = others;
  if (next === undefined) return ask(path);
  try {
    return await ask(path);
  } catch (error) {
    if (!(error instanceof ImageError) || error.code !== 'not-found') throw error;
    return firstFound([next, ...rest], ask);
  }
}

/** Writes the documents of one place for one request, whose origin their addresses have. */
interface Writer {
  manifest(answer: ManifestAnswer): Answer;
  collection(answer: CollectionAnswer): Answer;
}

function createWriter(
  { dialect, prefix, version }: PresentationPlace,
  origin: string,
  { contextPath, iiifSlash, pageLabels }: Service,
  mediaType: string,
): Writer {
  const place = foldersBelow(`${origin}${prefix}`, iiifSlash);
  const services = imageServicesBelow(`${origin}${contextPath}`, iiifSlash);
  const addressesBelow = dialect === 'presentation' ? presentationAddresses : manifesterAddresses;
  const addressesOf = (path: string): ManifestAddresses => addressesBelow(`${origin}${prefix}`, path, iiifSlash);
  const written = (document: object): Document => ({ body: Buffer.from(JSON.stringify(document)), mediaType });
  const manifestOf = (folder: FolderDescription, additions: Additions | undefined): object => {
    const write = version === 3 ? manifest3 : manifest2;
    return withAdditions(write(folder, addressesOf(folder.path), services, pageLabels), additions);
  };
  return {
    manifest(answer) {
      switch (answer.kind) {
        case 'file':
          return { body: Buffer.from(answer.text), mediaType: plainJson };
        case 'pages':
          return written(manifestOf(answer.folder, answer.additions));
        case 'see-collection':
          return { redirect: place.collection(answer.path) };
      }
    },
    collection(answer) {
      if (answer.kind === 'see-manifest') return { redirect: place.manifest(answer.path) };
      return written((version === 3 ? collection3 : collection2)(answer.folder, place));
    },
  };
}

const mediaTypeFor = ({ headers }: FastifyRequest, version: Version): string =>
  prefersLinkedJson(headers.accept) ? linkedJsonOf(contexts[version]) : plainJson;

function send(
  { body, mediaType }: Document,
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  return sendDocument(Buffer.from(body), mediaType, cacheControlOf(!service.guarded, service), request, reply);
}

async function serve(
  place: PresentationPlace,
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { dialect, prefix, version } = place;
  const rawPath = pathBehind(targetOf(request.raw).path, prefix.split('/').length - 1);
  const { kind, paths } = requireAddress(rawPath, dialect, service.iiifSlash);
  const writer = createWriter(place, request.origin, service, mediaTypeFor(request, version));
  const caller = await service.callers.callerOf(request.raw);
  const { presentation } = service;
  const answer = await firstFound(paths, async (path) => {
    if (kind === 'collection') return writer.collection(await presentation.collection(path, caller));
    return writer.manifest(
      dialect === 'presentation'
        ? await presentation.manifest(path, caller)
        : await presentation.manifestAround(path, caller),
    );
  });
  return 'redirect' in answer ? reply.redirect(answer.redirect, 303) : send(answer, service, request, reply);
}

/** All places. */
export function presentationPlaces(base: string, { iiifPrefix }: Service): readonly PresentationPlace[] {
  const versions: readonly Version[] = [2, 3];
  const manifesters = servletPaths('Manifester').map((path) => `${base}${path}/${iiifPrefix}`);
  return [
    ...versions.map(
      (version): PresentationPlace => ({ dialect: 'presentation', prefix: `${base}/presentation/${version}`, version }),
    ),
    // Where the address names no version, digilib answers in the words of 2 (digilib.md, section 6).
    ...manifesters.flatMap((prefix): PresentationPlace[] => [
      { dialect: 'manifester', prefix, version: 2 },
      ...versions.map((version) => ({ dialect: 'manifester' as const, prefix: `${prefix}/${version}`, version })),
    ]),
  ];
}

/** Adds the routes. */
export function presentationRoutes(server: FastifyInstance, base: string, service: Service): void {
  for (const place of presentationPlaces(base, service)) {
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
