/** Where IIIF has its addresses: below the server’s own prefixes, and below digilib’s. */
import { type IiifAddress, parseAddress } from '../iiif/address.ts';
import type { Version } from '../iiif/version.ts';
import { ImageError } from '../image/model/errors.ts';
import type { Service } from './service.ts';
import { servletPaths } from './servlets.ts';

/** Where the pictures of IIIF have their addresses. */
export interface IiifMount {
  /** The path before the identifier, without a slash at its end. */
  readonly prefix: string;
  readonly version: Version;
}

/** How many segments a path below one of the places has before what is asked for. */
export const segmentsOf = (prefix: string): number => prefix.split('/').length - 1;

/** How the settings have pictures asked for. */
export type AddressRules = Pick<
  Service,
  'contextPath' | 'rawSlashes' | 'iiifSlash' | 'iiifPrefix' | 'defaultIiifVersion' | 'defaultKernel'
>;

/** All places; the first of a version is the server’s own, the others are digilib's. */
export function iiifMounts(base: string, { iiifPrefix, defaultIiifVersion }: AddressRules): readonly IiifMount[] {
  const all: readonly Version[] = [1, 2, 3];
  const own = all.map((version): IiifMount => ({ prefix: `${base}/iiif/${version}`, version }));
  const digilibs = servletPaths('Scaler')
    .map((name) => `${name}/${iiifPrefix}`)
    .flatMap((name): IiifMount[] => [
      { prefix: `${base}${name}`, version: defaultIiifVersion },
      ...all.map((version) => ({ prefix: `${base}${name}/${version}`, version })),
    ]);
  return [...own, ...digilibs];
}

export const isBelow = (path: string, prefix: string): boolean => path.startsWith(`${prefix}/`);

/** Finds the place of a path, by the longest of the prefixes that lead to one. */
export function iiifMountFinder(rules: AddressRules): (path: string) => IiifMount | undefined {
  const places = [...iiifMounts(rules.contextPath, rules)];
  const longestFirst = places.sort((one, other) => other.prefix.length - one.prefix.length);
  return (path) => longestFirst.find(({ prefix }) => isBelow(path, prefix));
}

/** The path up to the identifier as it was sent, so that `id` is the address that was asked for. */
export const rawPrefix = (path: string, prefixSegments: number): string =>
  path
    .split('/')
    .slice(0, prefixSegments + 1)
    .join('/');

/** Throws ImageError `not-found` where the raw path behind the prefix has not the form of IIIF. */
export function requireIiifAddress(rawPath: string, { rawSlashes, iiifSlash }: AddressRules): IiifAddress {
  const address = parseAddress(rawPath, rawSlashes, iiifSlash);
  if (address === undefined) {
    throw new ImageError(
      'not-found',
      `This is no IIIF address; its form is {identifier}/{region}/{size}/{rotation}/{quality}.{format} or {identifier}/info.json, with ${iiifSlash} or %2F for the slashes of the identifier.`,
    );
  }
  return address;
}
