/** Manifests and collections: under `/presentation/{version}/`, and under digilib's `/Manifester/IIIF[/{version}]/`. */
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { whenAbandoned } from '../../core/http/abandoned-responses.ts';
import { addRoutes, parseNumber } from '../../core/http/add-routes.ts';
import type { Callers } from '../../core/http/callers.ts';
import { privateCacheControl } from '../../core/http/representation.ts';
import { retryWhileReplaced, sendLongDocument, sendNegotiated } from '../../core/http/send.ts';
import { pathBehind, segmentsOf, targetOf } from '../../core/http/target.ts';
import {
  type FolderAddress,
  parseManifesterAddress,
  parsePresentationAddress,
} from '../../core/image/addresses/folder-address.ts';
import type { PresentationVersion } from '../../core/image/addresses/iiif-addresses.ts';
import { servletPaths } from '../../core/image/addresses/servlets.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import type { AnnotationsAnswer, CollectionAnswer, ManifestAnswer, Presentation } from './presented-folders.ts';
import { accessTo, type PresentationMount, type WritingParts, writeDocument } from './write-document.ts';

export interface PresentationParts extends WritingParts {
  readonly presentation: Presentation;
  readonly callers: Callers;
  /** Whether there are rules of access, so that documents differ from caller to caller. */
  readonly guarded: boolean;
  readonly iiifPrefix: string;
  /** The `Cache-Control` of what everyone may see. */
  readonly cacheControl: string;
}

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
    request.cacheSubject = path;
    if (list !== undefined) return presentation.annotations(path, list, caller);
    if (kind === 'collection') return presentation.collection(path, caller, parseNumber('page', query));
    const manifest = dialect === 'presentation' ? presentation.manifest : presentation.manifestAround;
    return manifest(path, caller, signal);
  });
  await reply.server.documentTurn(signal);
  const asked = { origin: request.origin, accept: request.headers.accept, query: target.query };
  const answer = writeDocument(found, mount, asked, parts, await accessTo(found, request.origin, parts));
  if ('redirect' in answer) return reply.redirect(answer.redirect, 303);
  const cacheControl = parts.guarded ? privateCacheControl : parts.cacheControl;
  if ('pieces' in answer) return sendLongDocument(answer.pieces, answer.mediaType, cacheControl, request, reply);
  return sendNegotiated(answer.body, answer.mediaType, cacheControl, request, reply);
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
