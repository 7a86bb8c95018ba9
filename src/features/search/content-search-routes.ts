/**
 * `GET {base_url}/content-search/{version}/presentation/{version}/{identifier}` searches in a manifest by IIIF Content Search
 * 1.0 and 2.0, and with `/collection` behind it in all manifests in and below a folder.
 */

import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import pMap from 'p-map';
import type { Admission, FolderTarget } from '../../core/access/admit.ts';
import { bounded, ifAnswering } from '../../core/access/if-answering.ts';
import type { Caller } from '../../core/access/policy.ts';
import { addRoutes } from '../../core/http/add-routes.ts';
import type { Callers } from '../../core/http/callers.ts';
import { plainJson } from '../../core/http/negotiation.ts';
import { privateCacheControl } from '../../core/http/representation.ts';
import type { WorkRules } from '../../core/http/request-context.ts';
import { sendDocument } from '../../core/http/send.ts';
import { pathBehind, segmentsOf, targetOf } from '../../core/http/target.ts';
import { parseManifesterAddress } from '../../core/image/addresses/folder-address.ts';
import {
  keyOfPage,
  type PresentationVersion,
  presentationAddresses,
} from '../../core/image/addresses/iiif-addresses.ts';
import { badRequest, ImageError } from '../../core/image/model/errors.ts';
import type { Rect, Size } from '../../core/image/model/geometry.ts';
import { childOf, formatIdentifier } from '../../core/image/model/identifier.ts';
import { type Admitted, highest, type ImageSet, onShown } from '../../core/image/model/image-set.ts';
import { type FoundOnCanvas, type SearchResult, searchSerializers, type TermResult } from './content-search/answers.ts';
import { collectionEnd, type Searched, type SearchVersion, searchAddress } from './content-search/services.ts';
import type { MatchedPage, TextSearch } from './search-texts.ts';
import { workOfSearch } from './search-work.ts';

export interface ContentSearchParts {
  readonly admission: Admission;
  readonly callers: Callers;
  readonly contextPath: string;
  readonly iiifSlash: string;
  /** Whether there are rules of access, so that results differ from caller to caller. */
  readonly guarded: boolean;
  readonly pay?: WorkRules['pay'];
  /** Absent where texts are not searched. */
  readonly textSearch?: TextSearch | undefined;
}

interface Mount {
  readonly search: SearchVersion;
  readonly presentation: PresentationVersion;
}

/** Version 2 of the search is of Presentation 3; version 1 is of both, since viewers of both know it. */
export const contentSearchMounts: readonly Mount[] = [
  { search: 1, presentation: 2 },
  { search: 1, presentation: 3 },
  { search: 2, presentation: 3 },
];

export const contentSearchPrefix = ({ search, presentation }: Mount): string =>
  `/content-search/${search}/presentation/${presentation}`;

/** Pages with matches in one answer, and matches of each. */
const pagesAtOnce = 50;
const matchesEach = 100;

/** What a reader types is shorter; more is not searched. */
const maxQueryLength = 1000;

const autocomplete = '/autocomplete';

interface Asked {
  readonly mount: Mount;
  /** Scheme, host and context path. */
  readonly base: string;
  readonly target: FolderTarget;
  readonly searched: Searched;
  readonly query: string;
  readonly page: number;
  readonly ignored: readonly string[];
  /** The address that was requested. */
  readonly id: string;
  readonly caller: Caller;
}

/** The folder of the first of the paths that an address can mean. */
async function targetAt(paths: readonly string[], caller: Caller, admission: Admission): Promise<FolderTarget> {
  const [path = '', ...others] = paths;
  try {
    return { folder: await admission.admitFolder(path, caller) };
  } catch (error) {
    if (others.length === 0 || !(error instanceof ImageError) || error.code !== 'not-found') throw error;
    return targetAt(others, caller, admission);
  }
}

function pageIn(parameters: URLSearchParams): number {
  const text = parameters.get('page') ?? '1';
  if (!/^[1-9][0-9]{0,5}$/.test(text)) throw badRequest('“page” must be a whole number from 1 on.');
  return Number(text);
}

/** The address of the search in a folder, with a query. */
function addressWith({ mount, base, target, searched }: Asked, slash: string, query: string, page?: number): string {
  const { search, presentation } = mount;
  const path = formatIdentifier(target.folder.identifier);
  const address = searchAddress({ base, presentation, searched, path, slash }, search);
  const parameters = new URLSearchParams({ q: query, ...(page === undefined ? {} : { page: String(page) }) });
  return `${address}?${parameters}`;
}

/** The places on a page, as places on its canvas. */
async function foundOn(
  page: MatchedPage,
  asked: Asked,
  { iiifSlash: slash, admission }: ContentSearchParts,
): Promise<readonly FoundOnCanvas[]> {
  const { mount, base, searched, caller } = asked;
  const { file, pageInFile, matches } = page;
  const path = formatIdentifier(page.folder.identifier);
  const addresses = presentationAddresses(`${base}/presentation/${mount.presentation}`, path, slash);
  const canvas = addresses.part('canvas', keyOfPage(file, pageInFile));
  const label = page.folder.identifier.segments.at(-1) ?? '/';
  const manifest = searched === 'collection' ? { manifest: { id: addresses.manifest, label } } : {};
  const isWhole = matches.some(({ boxes }) => boxes.length === 0);
  const image =
    isWhole || admission.hasTiers
      ? await imageOfCanvas(admission, formatIdentifier(childOf(page.folder.identifier, file)), pageInFile, caller)
      : undefined;
  const size = image && isWhole ? sizeOf(image) : undefined;
  const onCanvas = (box: Rect): Rect => (image ? onShown(box, image) : box);
  return matches.map((match) => ({
    canvas,
    ...match,
    boxes: match.boxes.map(onCanvas),
    ...manifest,
    ...(size && { size }),
  }));
}

async function search(asked: Asked, parts: ContentSearchParts): Promise<SearchResult> {
  const { textSearch, iiifSlash } = parts;
  const { query, page, ignored, id, target, searched, caller } = asked;
  const found = await textSearch?.find(
    {
      query,
      folder: target.folder,
      isShallow: searched === 'manifest',
      order: 'book',
      from: (page - 1) * pagesAtOnce + 1,
      count: pagesAtOnce,
      matchesEach,
      // Viewers that read all parts one after the other need it once.
      countsPlaces: page === 1,
    },
    caller,
  );
  const { pages = [], total = 0, places, next } = found ?? {};
  const address = (number?: number): string => addressWith(asked, iiifSlash, query, number);
  return {
    id,
    whole: address(),
    found: (await pMap(pages, (one) => foundOn(one, asked, parts), bounded)).flat(),
    ignored,
    first: address(1),
    last: address(Math.max(1, Math.ceil(total / pagesAtOnce))),
    ...(places === undefined ? {} : { total: places }),
    ...(next === undefined ? {} : { next: address(page + 1) }),
    ...(page === 1 ? {} : { previous: address(page - 1) }),
  };
}

async function complete(asked: Asked, { textSearch, iiifSlash }: ContentSearchParts): Promise<TermResult> {
  const { query, ignored, id, target, searched, caller } = asked;
  const scope = { folder: target.folder, isShallow: searched === 'manifest' };
  const found = (await textSearch?.complete(query, scope, caller)) ?? [];
  const quoted = (text: string): string => (/\s/.test(text) ? `"${text}"` : text);
  const terms = found.map(({ text, count }) => ({ text, count, search: addressWith(asked, iiifSlash, quoted(text)) }));
  return { id, ignored, terms };
}

async function answerOf(request: FastifyRequest, mount: Mount, parts: ContentSearchParts): Promise<object> {
  const { contextPath, iiifSlash, callers, admission } = parts;
  const { path, query } = targetOf(request.raw);
  const raw = pathBehind(path, segmentsOf(contextPath + contentSearchPrefix(mount)));
  const isAutocomplete = raw.endsWith(autocomplete);
  const scope = isAutocomplete ? raw.slice(0, -autocomplete.length) : raw;
  const isCollection = scope.endsWith(collectionEnd);
  const identifier = isCollection ? scope.slice(0, -collectionEnd.length) : scope;
  const address = identifier.includes('/') ? undefined : parseManifesterAddress(identifier, iiifSlash);
  if (address === undefined) throw new ImageError('not-found', 'This is no address of a search; it names one folder.');
  const caller = await callers.callerOf(request.raw);
  const parameters = new URLSearchParams(query);
  const known = new Set(['id_token', ...(isAutocomplete ? ['q'] : ['q', 'page'])]);
  const shown = new URLSearchParams([...parameters].filter(([name]) => name !== 'id_token')).toString();
  const asked: Asked = {
    mount,
    base: `${request.origin}${contextPath}`,
    target: await targetAt(address.paths, caller, admission),
    searched: isCollection ? 'collection' : 'manifest',
    query: (parameters.get('q') ?? '').slice(0, maxQueryLength),
    page: pageIn(parameters),
    ignored: [...new Set(parameters.keys())].filter((name) => !known.has(name)),
    id: `${request.origin}${path}${shown === '' ? '' : `?${shown}`}`,
    caller,
  };
  const from = isAutocomplete ? 1 : (asked.page - 1) * pagesAtOnce + 1;
  await parts.pay?.(request.raw, { ms: workOfSearch(from, isAutocomplete ? 0 : pagesAtOnce) });
  const { terms, results } = searchSerializers[mount.search];
  return isAutocomplete ? terms(await complete(asked, parts)) : results(await search(asked, parts));
}

export const contentSearchRoutes: FastifyPluginCallback<ContentSearchParts> = (server, parts, done) => {
  // Texts change when scans are added, so that clients revalidate what they stored.
  const cacheControl = parts.guarded ? privateCacheControl : 'no-cache';
  const add = (mount: Mount): void =>
    addRoutes(server, [`${contentSearchPrefix(mount)}/*`], async (request, reply): Promise<FastifyReply> => {
      const answer = await answerOf(request, mount, parts);
      return sendDocument(Buffer.from(JSON.stringify(answer)), plainJson, cacheControl, request, reply);
    });
  for (const mount of contentSearchMounts) add(mount);
  done();
};

const sizeOf = (image: ImageSet): Size => {
  const { width, height } = highest(image);
  return { width, height };
};

/**
 * `path` is that of the file, and `page` counts those inside of it, from 1. Undefined where the caller may not see the image,
 * where it can't be read, and where its disk does not answer.
 */
async function imageOfCanvas(
  admission: Pick<Admission, 'admit'>,
  path: string,
  page: number,
  caller: Caller,
): Promise<Admitted<ImageSet> | undefined> {
  try {
    const image = await ifAnswering(admission.admit(path, page, caller));
    return image === 'no-answer' ? undefined : image;
  } catch (error) {
    if (error instanceof ImageError) return undefined;
    throw error;
  }
}
