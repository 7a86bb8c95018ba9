/** What the address of a picture asks for, in either dialect: one reading for the routes that serve it and for what explains it. */
import type { Caller } from '../access/access.ts';
import type { ParameterValues } from '../digilib/parameters.ts';
import { parseQuery } from '../digilib/query.ts';
import { toImageRequest } from '../digilib/request.ts';
import { ImageError } from '../image/model/errors.ts';
import type { Admitted, ImageSet } from '../image/model/image-set.ts';
import type { Admission } from '../service/admit.ts';
import { type AddressRules, iiifMountFinder, isBelow, segmentsOf } from './iiif-mounts.ts';
import { type ImageQuery, readIiifPicture } from './iiif-query.ts';
import { pathBehind, type Target } from './origin.ts';
import { servletPaths } from './servlets.ts';

/** The paths of the Scaler below the context path. */
export const scalerPlaces = (base: string): readonly string[] => servletPaths('Scaler').map((name) => base + name);

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
export const askedOfScaler = (values: ParameterValues, path: string, { defaultKernel }: AddressRules): ImageQuery => ({
  identifiers: [path + values.fn],
  page: values.pn,
  request: toImageRequest(values, defaultKernel),
});

/** The first of an identifier's meanings that there is; of none, what is wrong with the likeliest. */
export async function admitFirst(
  { identifiers, page }: Pick<ImageQuery, 'identifiers' | 'page'>,
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

/**
 * Reads an address as the server routes it; undefined where it is no picture's. Throws ImageError where the address is
 * a picture's and something in it is wrong.
 */
export function parsePictureAddress({ path, query }: Target, rules: AddressRules): ImageQuery | undefined {
  const place = iiifMountFinder(rules)(path);
  if (place !== undefined) return readIiifPicture(path, place, rules);
  const prefix = scalerPlaces(rules.contextPath).find((each) => path === each || isBelow(path, each));
  return prefix === undefined
    ? undefined
    : askedOfScaler(parseQuery(query), scalerPath(path, segmentsOf(prefix)), rules);
}
