/** Pictures that are asked for by IIIF: one reading of their addresses for the routes, the image lane, and what explains them. */
import type { IiifAddress } from '../iiif/address.ts';
import { canonicalPath } from '../iiif/canonical.ts';
import { parseImagePath } from '../iiif/image-path.ts';
import type { Version } from '../iiif/version.ts';
import type { ImageRequest } from '../image/model/image-request.ts';
import type { ImageAnswer } from '../service/images.ts';
import { type AddressRules, type IiifMount, rawPrefix, requireIiifAddress, segmentsOf } from './iiif-mounts.ts';
import { type LinkHeader, linkTo } from './link-header.ts';
import { pathBehind } from './origin.ts';

/** What is asked for, in either dialect. */
export interface ImageQuery {
  /** The paths that the image can have, likeliest first; there is at least one. */
  readonly identifiers: readonly string[];
  /** The page of the folder, from 1, where the path names a folder. */
  readonly page: number;
  readonly request: ImageRequest;
}

/** A picture that is asked for by IIIF. */
export interface IiifPicture extends ImageQuery {
  /** The header that names the picture's canonical address. */
  linkTo(answer: Pick<ImageAnswer, 'resolved'>): LinkHeader;
}

/** The picture of a parsed address, whose raw path up to the identifier is `prefix`. Throws ImageError for a malformed one. */
export function iiifPicture(
  { identifiers, rawIdentifier, path }: IiifAddress & { readonly kind: 'image' },
  prefix: string,
  version: Version,
): IiifPicture {
  const request = parseImagePath(path, version);
  return {
    identifiers,
    page: 1,
    request,
    linkTo({ resolved }) {
      if (resolved === undefined) throw new TypeError('a request of IIIF that has no region');
      const canonical = canonicalPath(request, path, resolved, version);
      return linkTo(`${prefix}/${rawIdentifier}/${canonical}`, version);
    },
  };
}

/** Reads a path below a place; undefined where it is no picture's. Throws ImageError where something in it is wrong. */
export function readIiifPicture(path: string, place: IiifMount, rules: AddressRules): IiifPicture | undefined {
  const segments = segmentsOf(place.prefix);
  const address = requireIiifAddress(pathBehind(path, segments), rules);
  return address.kind === 'image' ? iiifPicture(address, rawPrefix(path, segments), place.version) : undefined;
}
