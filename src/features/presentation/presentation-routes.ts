/** Manifests and collections: under `/presentation/{version}/`, and under digilib's `/Manifester/IIIF[/{version}]/`. */
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { whenAbandoned } from '../../core/http/abandoned-responses.ts';
import { addRoutes, parseNumber } from '../../core/http/add-routes.ts';
import type { Callers } from '../../core/http/callers.ts';
import { linkedJsonOf, plainJson, prefersLinkedJson } from '../../core/http/negotiation.ts';
import { privateCacheControl } from '../../core/http/representation.ts';
import { retryWhileReplaced, sendDocument, sendLongDocument } from '../../core/http/send.ts';
import { pathBehind, segmentsOf, targetOf } from '../../core/http/target.ts';
import {
  encodePath,
  type FolderAddress,
  parseManifesterAddress,
  parsePresentationAddress,
} from '../../core/image/addresses/folder-address.ts';
import {
  foldersBelow,
  imageServicesBelow,
  type ManifestAddresses,
  manifesterAddresses,
  type PresentationVersion,
  presentationAddresses,
} from '../../core/image/addresses/iiif-addresses.ts';
import { servletPaths } from '../../core/image/addresses/servlets.ts';
import type { PageLabels } from '../../core/image/folder/page-labels.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import type { AccessServices, AccessServicesOf, SearchMember } from '../../core/ports.ts';
import { annotationsByVersion } from './model/annotation-pages.ts';
import { collectionOf, manifestOf, manifestPieces, wholeManifest, withAdditions } from './model/manifest.ts';
import type { AnnotationsAnswer, CollectionAnswer, ManifestAnswer, Presentation } from './presented-folders.ts';

/** A path prefix of manifests of one version. */
export interface PresentationMount {
  readonly dialect: 'presentation' | 'manifester';
  /** The path between the context path and the folder, without a slash at its end. */
  readonly prefix: string;
  readonly version: PresentationVersion;
}

export interface PresentationParts {
  readonly presentation: Presentation;
  readonly callers: Callers;
  /** Whether there are rules of access, so that documents differ from caller to caller. */
  readonly guarded: boolean;
  readonly contextPath: string;
  readonly iiifPrefix: string;
  readonly iiifSlash: string;
  /** The member that names where texts are searched; undefined where they are not. */
  readonly searchMember?: SearchMember | undefined;
  /** Whether folders have PDF documents. */
  readonly hasDocuments: boolean;
  readonly pageLabels: PageLabels;
  readonly accessServices?: AccessServicesOf | undefined;
  /** The `Cache-Control` of what everyone may see. */
  readonly cacheControl: string;
}

export const contexts: Readonly<Record<PresentationVersion, string>> = {
  2: 'http://iiif.io/api/presentation/2/context.json',
  3: 'http://iiif.io/api/presentation/3/context.json',
};

interface Document {
  readonly body: Buffer;
  readonly mediaType: string;
}

/** A document that is written while it is sent. */
interface LongDocument {
  readonly pieces: Iterable<string>;
  readonly mediaType: string;
}

type Answer = Document | LongDocument | { readonly redirect: string };

/** A manifest of more canvases is written while it is sent: it takes much memory as a whole, and long to write at once. */
const mostCanvasesAtOnce = 2000;

const formOf = (dialect: PresentationMount['dialect'], slash: string): string =>
  dialect === 'presentation'
    ? '{folder}/manifest.json or {folder}/collection.json'
    : `{identifier}/manifest, with ${slash} or %2F for the slashes of the identifier`;

function requireAddress(rawPath: string, dialect: PresentationMount['dialect'], slash: string): FolderAddress {
  const parse = dialect === 'presentation' ? parsePresentationAddress : parseManifesterAddress;
  const address = parse(rawPath, slash);
  if (address !== undefined) return address;
  throw new ImageError('not-found', `This is no address of a manifest; its form is ${formOf(dialect, slash)}.`);
}

/** The document of the first path that leads to a folder. */
async function firstFound<T>(paths: FolderAddress['paths'], find: (path: string) => Promise<T>): Promise<T> {
  const [path, ...others] = paths;
  const [next, ...rest] = others;
  if (next === undefined) return find(path);
  try {
    return await find(path);
  } catch (error) {
    if (!(error instanceof ImageError) || error.code !== 'not-found') throw error;
    return firstFound([next, ...rest], find);
  }
}

/**
 * The canvas at which a manifest begins (Presentation 3.0, section 3.2, `start`), where the parameter of this name has a
 * canvas of it: viewers that take a manifest alone open it at a page by this.
 */
function startOf(query: string, addresses: ManifestAddresses): object | undefined {
  const id = new URLSearchParams(query).get('start') ?? '';
  return id.startsWith(addresses.part('canvas', '')) ? { id, type: 'Canvas' } : undefined;
}

/** Writes the document of a mount for a request, whose origin its addresses have. */
function write(
  answer: ManifestAnswer | CollectionAnswer | AnnotationsAnswer,
  { dialect, prefix, version }: PresentationMount,
  { origin, headers, raw }: FastifyRequest,
  { contextPath, iiifSlash, pageLabels, searchMember, hasDocuments }: PresentationParts,
  access: AccessServices | undefined,
): Answer {
  const base = `${origin}${contextPath}${prefix}`;
  const folders = foldersBelow(base, iiifSlash);
  const addressesBelow = dialect === 'presentation' ? presentationAddresses : manifesterAddresses;
  const mediaType = prefersLinkedJson(headers.accept) ? linkedJsonOf(contexts[version]) : plainJson;
  const written = (document: object): Document => ({ body: Buffer.from(JSON.stringify(document)), mediaType });
  // digilib's addresses name canvases of their own, which no search returns.
  const searchOf = (searched: 'manifest' | 'collection', path: string): object =>
    dialect === 'presentation' && searchMember !== undefined
      ? searchMember({ base: `${origin}${contextPath}`, presentation: version, searched, path, slash: iiifSlash })
      : {};
  switch (answer.kind) {
    case 'file':
      return { body: Buffer.from(answer.text), mediaType: plainJson };
    case 'pages': {
      const pdf = `${origin}${contextPath}/pdf/${encodePath(answer.folder.path)}.pdf`;
      const isTakenAlong = hasDocuments && !answer.isWithoutDocuments;
      const addresses = { ...addressesBelow(base, answer.folder.path, iiifSlash), ...(isTakenAlong && { pdf }) };
      const services = imageServicesBelow(`${origin}${contextPath}`, iiifSlash);
      const manifest = manifestOf(version, answer.folder, addresses, services, pageLabels, access);
      const start = version === 3 ? startOf(targetOf(raw).query, addresses) : undefined;
      const service = answer.hasTexts ? searchOf('manifest', answer.folder.path) : {};
      const additions = { ...service, ...answer.additions, ...(start && { start }) };
      if (manifest.length > mostCanvasesAtOnce) return { pieces: manifestPieces(manifest, additions), mediaType };
      return written(withAdditions(wholeManifest(manifest), additions));
    }
    case 'annotations': {
      const addresses = addressesBelow(base, answer.folder, iiifSlash);
      return written(annotationsByVersion[version](answer.canvas, addresses));
    }
    case 'members':
      return written({
        ...collectionOf(version, answer.folder, folders),
        ...searchOf('collection', answer.folder.path),
      });
    case 'see-collection':
      return { redirect: folders.collection(answer.path) };
    case 'see-manifest':
      return { redirect: folders.manifest(answer.path) };
  }
}

/** How one gets access to the images of a manifest that not everyone sees whole; undefined where there is none. */
async function accessTo(
  answer: { readonly kind: string } | ManifestAnswer,
  { origin }: FastifyRequest,
  { contextPath, accessServices }: PresentationParts,
): Promise<AccessServices | undefined> {
  const isClosed = 'hasTexts' in answer && answer.folder.pages.some(({ closedPath }) => closedPath !== undefined);
  return isClosed ? accessServices?.(`${origin}${contextPath}`) : undefined;
}

async function serve(
  mount: PresentationMount,
  parts: PresentationParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { dialect } = mount;
  const target = targetOf(request.raw);
  const query = new URLSearchParams(target.query);
  const rawPath = pathBehind(target.path, segmentsOf(parts.contextPath + mount.prefix));
  const { kind, paths, list } = requireAddress(rawPath, dialect, parts.iiifSlash);
  const caller = await parts.callers.callerOf(request.raw);
  const { presentation } = parts;
  const signal = whenAbandoned(request.raw, reply.raw);
  const found = await firstFound(paths, (path): Promise<ManifestAnswer | CollectionAnswer | AnnotationsAnswer> => {
    if (list !== undefined) return presentation.annotations(path, list, caller);
    if (kind === 'collection') return presentation.collection(path, caller, parseNumber('page', query));
    const manifest = dialect === 'presentation' ? presentation.manifest : presentation.manifestAround;
    return manifest(path, caller, signal);
  });
  await reply.server.documentTurn(signal);
  const answer = write(found, mount, request, parts, await accessTo(found, request, parts));
  if ('redirect' in answer) return reply.redirect(answer.redirect, 303);
  const cacheControl = parts.guarded ? privateCacheControl : parts.cacheControl;
  if ('pieces' in answer) return sendLongDocument(answer.pieces, answer.mediaType, cacheControl, request, reply);
  return sendDocument(answer.body, answer.mediaType, cacheControl, request, reply);
}

const versions: readonly PresentationVersion[] = [2, 3];

/** All mounts; where digilib's address names no version, it is answered with 2 (digilib.md, section 6). */
export const presentationMounts = (iiifPrefix: string): readonly PresentationMount[] => [
  ...versions.map((version) => ({ dialect: 'presentation' as const, prefix: `/presentation/${version}`, version })),
  ...servletPaths('Manifester')
    .map((path) => `${path}/${iiifPrefix}`)
    .flatMap((prefix): readonly PresentationMount[] => [
      { dialect: 'manifester', prefix, version: 2 },
      ...versions.map((version) => ({ dialect: 'manifester' as const, prefix: `${prefix}/${version}`, version })),
    ]),
];

export const presentationRoutes: FastifyPluginCallback<PresentationParts> = (server, parts, done) => {
  for (const mount of presentationMounts(parts.iiifPrefix)) {
    addRoutes(server, [`${mount.prefix}/*`], (request, reply) =>
      retryWhileReplaced(() => serve(mount, parts, request, reply)),
    );
  }
  done();
};
