/** Parses the addresses of images in both dialects: once a request, for the fast path, the routes and `lectern explain`. */
import type { IncomingMessage } from 'node:http';
import { parseQuery } from '../../features/digilib/query.ts';
import { type ErrorForm, errorFormOf, toImageRequest } from '../../features/digilib/request.ts';
import { parseAddress } from '../../features/iiif-image/address.ts';
import { canonicalPath } from '../../features/iiif-image/canonical.ts';
import { parseImagePath } from '../../features/iiif-image/image-path.ts';
import type { Version } from '../../features/iiif-image/version.ts';
import { formatIdentifierSegment } from '../../features/presentation/model/addresses.ts';
import type { ImageAnswer } from '../answers/images.ts';
import { ImageError } from '../image/model/errors.ts';
import { formatIdentifier } from '../image/model/identifier.ts';
import type { ImageRequest, Kernel } from '../image/model/image-request.ts';
import type { ImageSet } from '../image/model/image-set.ts';
import { percentDecoded } from '../text/parse.ts';
import { type IiifMount, type IiifMountRules, iiifMounts } from './iiif-mounts.ts';
import { type LinkHeader, linkTo } from './link-header.ts';
import { servletPaths } from './servlets.ts';
import { pathBehind, pathUpTo, segmentsOf, type Target, targetOf } from './target.ts';

/** The settings by which addresses of images are read. */
export interface ImageAddressRules extends IiifMountRules {
  /** The path below which everything is served; empty for the root. */
  readonly contextPath: string;
  /** Whether an identifier in an IIIF address may hold raw slashes. */
  readonly rawSlashes: boolean;
  /** Replaces the slash in the identifiers of IIIF addresses. */
  readonly iiifSlash: string;
  /** How pixels are computed for digilib requests that name no quality. */
  readonly defaultKernel: Kernel;
  /** The form of digilib errors where the request names none. */
  readonly defaultErrorForm: ErrorForm;
  /** Whether `explain=1` in the query is answered with how the picture is made. */
  readonly explain: boolean;
}

/** A path prefix, below the context path, under which images are served. */
export type ImageMount =
  | { readonly dialect: 'digilib'; readonly prefix: string }
  | ({ readonly dialect: 'iiif' } & IiifMount);

/** The image that an address names. */
export interface ImageName {
  /** The decoded paths that the address can mean, likeliest first. */
  readonly identifiers: readonly string[];
  /** The page of the folder, from 1, where the path names a folder. */
  readonly page: number;
}

/** The path of an admitted image in IIIF, without the origin: as it was sent, or for digilib's parameters a canonical one. */
export type IiifPathOf = (image: Pick<ImageSet, 'identifier'>) => string;

/** What is requested of an image, in either dialect. */
export type ImageQuery = ImageName & {
  /** The form of digilib errors; undefined for IIIF, whose errors are texts. */
  readonly errorForm?: ErrorForm;
} & (
    | {
        readonly kind: 'picture';
        readonly request: ImageRequest;
        /** Whether the explanation is requested in place of the picture. */
        readonly explain: boolean;
        /** The `Link` header with the canonical address, for IIIF. */
        readonly linkOf?: (answer: Pick<ImageAnswer, 'resolved'>) => LinkHeader;
      }
    | { readonly kind: 'info'; readonly version: Version; readonly iiifPathOf: IiifPathOf }
    | { readonly kind: 'redirect-to-info'; readonly iiifPathOf: IiifPathOf }
    /** An error that is answered after the image is admitted; without identifiers, at once. */
    | { readonly kind: 'invalid'; readonly error: unknown }
  );

export interface ImageAddresses {
  readonly mounts: readonly ImageMount[];
  /** The mount of a raw path, by the longest prefix; undefined where the path is not an image's. */
  mountOf(path: string): ImageMount | undefined;
  parse(target: Target, mount: ImageMount): ImageQuery;
  /** Parses the target of a request, once for all callers. */
  queryOf(request: IncomingMessage, mount: ImageMount): ImageQuery;
}

const wantsExplanation = (query: string, { explain }: ImageAddressRules): boolean =>
  explain && /(?:^|[&;])explain=1(?:$|[&;])/.test(query);

/** The path after the Scaler's name, decoded, with the slash before it. */
function scalerPath(path: string, prefixSegments: number): string {
  if (segmentsOf(path) <= prefixSegments) return '';
  const decoded = percentDecoded(pathBehind(path, prefixSegments));
  if (decoded !== undefined) return `/${decoded}`;
  throw new ImageError('not-found', 'There is no image of this name: the address is not UTF-8.');
}

function parseScalerAddress({ path, query }: Target, prefixSegments: number, rules: ImageAddressRules): ImageQuery {
  let errorForm = rules.defaultErrorForm;
  try {
    const values = parseQuery(query);
    errorForm = errorFormOf(values, errorForm);
    const identifiers = [scalerPath(path, prefixSegments) + values.fn];
    const name = { identifiers, page: values.pn, errorForm };
    const iiifPathOf: IiifPathOf = ({ identifier }) =>
      `${rules.contextPath}/Scaler/${rules.iiifPrefix}/${formatIdentifierSegment(formatIdentifier(identifier), rules.iiifSlash)}`;
    if (values.mo.has('info')) return { ...name, kind: 'info', version: rules.defaultIiifVersion, iiifPathOf };
    if (values.mo.has('redirect_info')) return { ...name, kind: 'redirect-to-info', iiifPathOf };
    const request = toImageRequest(values, rules.defaultKernel);
    return { ...name, kind: 'picture', request, explain: wantsExplanation(query, rules) };
  } catch (error) {
    return { kind: 'invalid', identifiers: [], page: 1, errorForm, error };
  }
}

const noIiifAddress = (slash: string): ImageError =>
  new ImageError(
    'not-found',
    `This is no IIIF address; its form is {identifier}/{region}/{size}/{rotation}/{quality}.{format} or {identifier}/info.json, with ${slash} or %2F for the slashes of the identifier.`,
  );

function parseIiifAddress(
  { path, query }: Target,
  prefixSegments: number,
  version: Version,
  rules: ImageAddressRules,
): ImageQuery {
  const address = parseAddress(pathBehind(path, prefixSegments), rules.rawSlashes, rules.iiifSlash);
  if (address === undefined) {
    return { kind: 'invalid', identifiers: [], page: 1, error: noIiifAddress(rules.iiifSlash) };
  }
  const name = { identifiers: address.identifiers, page: 1 };
  const imagePath = `${pathUpTo(path, prefixSegments)}/${address.rawIdentifier}`;
  const iiifPathOf = (): string => imagePath;
  if (address.kind === 'base') return { ...name, kind: 'redirect-to-info', iiifPathOf };
  if (address.kind === 'info') return { ...name, kind: 'info', version, iiifPathOf };
  try {
    const request = parseImagePath(address.path, version);
    const linkOf = ({ resolved }: Pick<ImageAnswer, 'resolved'>): LinkHeader => {
      if (resolved === undefined) throw new TypeError('a request of IIIF that has no region');
      return linkTo(`${imagePath}/${canonicalPath(request, address.path, resolved, version)}`, version);
    };
    return { ...name, kind: 'picture', request, explain: wantsExplanation(query, rules), linkOf };
  } catch (error) {
    return { ...name, kind: 'invalid', error };
  }
}

export function createImageAddresses(rules: ImageAddressRules): ImageAddresses {
  const { contextPath } = rules;
  const mounts: readonly ImageMount[] = [
    ...servletPaths('Scaler').map((prefix) => ({ dialect: 'digilib' as const, prefix })),
    ...iiifMounts('', rules).map((mount) => ({ dialect: 'iiif' as const, ...mount })),
  ];
  const longestFirst = [...mounts].sort((one, other) => other.prefix.length - one.prefix.length);
  const queries = new WeakMap<IncomingMessage, ImageQuery>();

  function parse(target: Target, mount: ImageMount): ImageQuery {
    const prefixSegments = segmentsOf(contextPath + mount.prefix);
    return mount.dialect === 'digilib'
      ? parseScalerAddress(target, prefixSegments, rules)
      : parseIiifAddress(target, prefixSegments, mount.version, rules);
  }

  return {
    mounts,
    mountOf(path) {
      if (!path.startsWith(contextPath)) return undefined;
      const below = path.slice(contextPath.length);
      return longestFirst.find(
        ({ dialect, prefix }) => below.startsWith(`${prefix}/`) || (dialect === 'digilib' && below === prefix),
      );
    },
    parse,
    queryOf(request, mount) {
      const parsed = queries.get(request);
      if (parsed !== undefined) return parsed;
      const query = parse(targetOf(request), mount);
      queries.set(request, query);
      return query;
    },
  };
}
