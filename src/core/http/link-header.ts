/** The `Link` header of IIIF responses: the canonical address, and the level of compliance (Image API 3.0, 4.7 and 6). */

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
