/** What the address of a picture asks for, in either dialect: one reading for the routes that serve it and for what explains it. */
import type { Caller } from '../access/access.ts';
import type { ParameterValues } from '../digilib/parameters.ts';
import { parseQuery } from '../digilib/query.ts';
import { toImageRequest } from '../digilib/request.ts';
import { type IiifAddress, parseAddress } from '../iiif/address.ts';
import { parseImagePath } from '../iiif/image-path.ts';
import type { Version } from '../iiif/version.ts';
import { ImageError } from '../image/errors.ts';
import type { ImageRequest } from '../image/image-request.ts';
import type { Admitted, ImageSet } from '../image/image-set.ts';
import type { Admission } from '../service/admit.ts';
import { pathBehind, type Target } from './origin.ts';
import type { Service } from './service.ts';
import { servletPaths } from './servlets.ts';

export interface AskedPicture {
  /** The paths that the image can have, likeliest first; there is at least one. */
  readonly identifiers: readonly string[];
  /** The page of the folder, from 1, where the path names a folder. */
  readonly page: number;
  readonly request: ImageRequest;
}

/** Where the pictures of IIIF have their addresses. */
export interface IiifPlace {
  /** The path before the identifier, without a slash at its end. */
  readonly prefix: string;
  readonly version: Version;
}

/** How many segments a path below one of the places has before what is asked for. */
export const segmentsOf = (prefix: string): number => prefix.split('/').length - 1;

/** The paths of the Scaler below the context path. */
export const scalerPlaces = (base: string): readonly string[] => servletPaths('Scaler').map((name) => base + name);

/** How the settings have pictures asked for. */
export type AddressRules = Pick<
  Service,
  'contextPath' | 'rawSlashes' | 'iiifSlash' | 'iiifPrefix' | 'defaultIiifVersion' | 'defaultKernel'
>;

/** All places; the first of a version is the server’s own, the others are digilib's. */
export function iiifPlaces(base: string, { iiifPrefix, defaultIiifVersion }: AddressRules): readonly IiifPlace[] {
  const all: readonly Version[] = [1, 2, 3];
  const own = all.map((version): IiifPlace => ({ prefix: `${base}/iiif/${version}`, version }));
  const digilibs = ['/Scaler', '/servlet/Scaler']
    .map((name) => `${name}/${iiifPrefix}`)
    .flatMap((name): IiifPlace[] => [
      { prefix: `${base}${name}`, version: defaultIiifVersion },
      ...all.map((version) => ({ prefix: `${base}${name}/${version}`, version })),
    ]);
  return [...own, ...digilibs];
}

/** The path behind the Scaler’s name, decoded, with the slash before it. */
export function scalerPath(path: string, prefixSegments: number): string {
  if (path.split('/').length - 1 <= prefixSegments) return '';
  try {
    return `/${decodeURIComponent(pathBehind(path, prefixSegments))}`;
  } catch {
    throw new ImageError('not-found', 'There is no image of this name: the address is not UTF-8.');
  }
}

/** What the Scaler's parameters ask for, with the path behind its name. */
export const askedOfScaler = (
  values: ParameterValues,
  path: string,
  { defaultKernel }: AddressRules,
): AskedPicture => ({
  identifiers: [path + values.fn],
  page: values.pn,
  request: toImageRequest(values, defaultKernel),
});

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

/** The first of an identifier's meanings that there is; of none, what is wrong with the likeliest. */
export async function admitFirst(
  { identifiers, page }: Pick<AskedPicture, 'identifiers' | 'page'>,
  admission: Admission,
  caller: Caller,
): Promise<Admitted<ImageSet>> {
  let first: unknown;
  for (const identifier of identifiers) {
    try {
      return await admission.admit(identifier, page, caller);
    } catch (error) {
      if (!(error instanceof ImageError) || error.code !== 'not-found') throw error;
      first ??= error;
    }
  }
  throw first;
}

const isBelow = (path: string, prefix: string): boolean => path.startsWith(`${prefix}/`);

/**
 * Reads an address as the server routes it; undefined where it is no picture's. Throws ImageError where the address is
 * a picture's and something in it is wrong.
 */
export function parsePictureAddress({ path, query }: Target, rules: AddressRules): AskedPicture | undefined {
  const { contextPath } = rules;
  const [place] = iiifPlaces(contextPath, rules)
    .filter(({ prefix }) => isBelow(path, prefix))
    .sort((one, other) => other.prefix.length - one.prefix.length);
  if (place !== undefined) {
    const address = requireIiifAddress(pathBehind(path, segmentsOf(place.prefix)), rules);
    if (address.kind !== 'image') return undefined;
    return { identifiers: address.identifiers, page: 1, request: parseImagePath(address.path, place.version) };
  }
  const prefix = scalerPlaces(contextPath).find((each) => path === each || isBelow(path, each));
  return prefix === undefined
    ? undefined
    : askedOfScaler(parseQuery(query), scalerPath(path, segmentsOf(prefix)), rules);
}
