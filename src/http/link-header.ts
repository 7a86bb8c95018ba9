/** The `Link` header of IIIF answers: the canonical address, and the level of compliance (Image API 3.0, 4.7 and 6). */
import { type Version, versions } from '../iiif/version.ts';

/** A `Link` header but for the origin that stands before it: its canonical path, and what stands behind that address. */
export interface LinkHeader {
  readonly path: string;
  readonly rest: string;
}

/** An address inside of a header, in which only characters of addresses may stand. */
export const headerAddress = (address: string): string =>
  address.replace(/[^\w\-.~:/?#[\]@!$&'()*+,;=%]/g, (character) => encodeURIComponent(character));

/** What stands behind the canonical address: that it is one, and the level. */
const linkRest = (version: Version): string => `>;rel="canonical", <${versions[version].profile}>;rel="profile"`;

/** The header of the answer whose canonical address has this path. */
export const linkTo = (path: string, version: Version): LinkHeader => ({
  path: headerAddress(path),
  rest: linkRest(version),
});

/** The header for those who ask by this origin. */
export const linkFor = (origin: string, { path, rest }: LinkHeader): string => `<${origin}${path}${rest}`;
