/** Addresses of images: each dialect parses its own, once a request, for the fast path, the routes and `lectern explain`. */
import type { IncomingMessage } from 'node:http';
import type { ImageAnswer } from '../answers/images.ts';
import type { Limits } from '../image/model/answer-limits.ts';
import type { ImageRequest } from '../image/model/image-request.ts';
import type { Admitted, ImageSet } from '../image/model/image-set.ts';
import type { ErrorForm } from './error-responses.ts';
import { versionIn } from './picture-versions.ts';
import { segmentsOf, type Target, targetOf } from './target.ts';

/** The image that an address names. */
export interface ImageName {
  /** The decoded paths that the address can mean, likeliest first. */
  readonly identifiers: readonly string[];
  /** The page of the folder, from 1, where the path names a folder. */
  readonly page: number;
  /** The version of the image in the address (`?v=`). */
  readonly version?: string;
}

/** The path of an admitted image in IIIF, without the origin: as it was sent, or for digilib's parameters a canonical one. */
export type IiifPathOf = (image: Pick<ImageSet, 'identifier'>) => string;

/** How one version of the IIIF Image API describes an image. */
export interface InfoForm {
  readonly version: 1 | 2 | 3;
  /** The address of its JSON-LD context, and of the compliance level. */
  readonly context: string;
  readonly profile: string;
  /** The document with this `id`; `manifest` is the address of the manifest of the image's folder. */
  document(image: ImageSet, facts: { id: string; limits: Limits; manifest?: string }): object;
  /** The document of an image of which the caller may know nothing: the same for each `id`. */
  closed(id: string): object;
}

/** What is requested of an image, in either dialect. */
export type ImageQuery = ImageName & {
  /** The form of digilib errors; undefined for IIIF, whose errors are texts. */
  readonly errorForm?: ErrorForm;
  /**
   * For IIIF, whose addresses mean one image for all callers: the path of the same of the image in a tier, without the origin;
   * undefined where that is not the same, since it names pixels of the whole image.
   */
  readonly pathInTier?: (tier: string) => string | undefined;
} & (
    | {
        readonly kind: 'picture';
        readonly request: ImageRequest;
        /** Whether the explanation is requested in place of the picture. */
        readonly explain: boolean;
        /** The `Link` header with the canonical address, for IIIF. */
        readonly linkOf?: (answer: Pick<ImageAnswer, 'resolved'>) => LinkHeader;
      }
    | { readonly kind: 'info'; readonly form: InfoForm; readonly iiifPathOf: IiifPathOf }
    | { readonly kind: 'redirect-to-info'; readonly iiifPathOf: IiifPathOf }
    /** An error that is answered after the image is admitted; without identifiers, at once. */
    | { readonly kind: 'invalid'; readonly error: unknown }
  );

/** A path prefix, below the context path, under which a dialect serves images. */
export interface ImageMount {
  readonly prefix: string;
  /** Whether the prefix without anything behind it is an address, too. */
  readonly isAddress: boolean;
  /** Parses a target whose path begins with the context path and the prefix, which have this many segments. */
  parse(target: Target, prefixSegments: number): ImageQuery;
}

export interface ImageAddresses {
  readonly mounts: readonly ImageMount[];
  /** The mount of a raw path, by the longest prefix; undefined where the path is not an image's. */
  mountOf(path: string): ImageMount | undefined;
  parse(target: Target, mount: ImageMount): ImageQuery;
  /** Parses the target of a request, once for all callers. */
  queryOf(request: IncomingMessage, mount: ImageMount): ImageQuery;
}

/** Whether the query asks how the picture is made instead of the picture itself. */
export const wantsExplanation = (query: string): boolean => /(?:^|[&;])explain=1(?:$|[&;])/.test(query);

export function createImageAddresses(mounts: readonly ImageMount[], contextPath: string): ImageAddresses {
  const longestFirst = [...mounts].sort((one, other) => other.prefix.length - one.prefix.length);
  const queries = new WeakMap<IncomingMessage, ImageQuery>();
  const parse = (target: Target, mount: ImageMount): ImageQuery => {
    const query = mount.parse(target, segmentsOf(contextPath + mount.prefix));
    const version = versionIn(target.query);
    return version === undefined ? query : { ...query, version };
  };

  return {
    mounts,
    mountOf(path) {
      if (!path.startsWith(contextPath)) return undefined;
      const below = path.slice(contextPath.length);
      return longestFirst.find(
        ({ isAddress, prefix }) => below.startsWith(`${prefix}/`) || (isAddress && below === prefix),
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

/** A `Link` header without the origin: the canonical path, and the rest of the header after it. */
export interface LinkHeader {
  readonly path: string;
  readonly rest: string;
}

/** An address for a header, with every character encoded that an address can't have. */
export const headerAddress = (address: string): string =>
  address.replace(/[^\w\-.~:/?#[\]@!$&'()*+,;=%]/g, (character) => encodeURIComponent(character));

/** The header of a response with this canonical path, and the address of the compliance level. */
export const linkTo = (path: string, profile: string): LinkHeader => ({
  path: headerAddress(path),
  rest: `>;rel="canonical", <${profile}>;rel="profile"`,
});

/** The header for a request with this origin. */
export const linkFor = (origin: string, { path, rest }: LinkHeader): string => `<${origin}${path}${rest}`;

export interface PublicImages {
  /** Whether an image that was admitted within the last second is unchanged, by synchronous stats; false also where these are not possible. */
  isFresh(image: Admitted<ImageSet>): boolean;
  /** The image of this name that was admitted within the last second and is fresh; undefined where that is not known. */
  recent(name: ImageName): Admitted<ImageSet> | undefined;
  /** Admits everyone to an image, as it is now; simultaneous requests share the stats. Throws as admission does. */
  admit(name: ImageName): Promise<Admitted<ImageSet>>;
}
