/** The addresses of the IIIF Image API become queries for images, at the server's own prefixes and at digilib's. */
import type { ImageAnswer } from '../../core/answers/images.ts';
import {
  type ImageMount,
  type ImageQuery,
  type InfoForm,
  type LinkHeader,
  linkTo,
  wantsExplanation,
} from '../../core/http/image-queries.ts';
import { pathBehind, pathUpTo, type Target } from '../../core/http/target.ts';
import { decodeSegment } from '../../core/image/addresses/iiif-addresses.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import { joinTier } from '../../core/image/model/identifier.ts';
import { closedInformation, imageInformation } from './image-information.ts';
import { canonicalPath, type ImagePath, parseImagePath } from './image-path.ts';
import { type IiifMountRules, iiifMounts, type Version, versions } from './version.ts';

/** The settings by which these addresses are read. */
export interface IiifAddressRules extends IiifMountRules {
  /** Whether an identifier in an address may hold raw slashes. */
  readonly rawSlashes: boolean;
  /** Replaces the slash in identifiers. */
  readonly iiifSlash: string;
  /** Whether `explain=1` in the query is answered with how the picture is made. */
  readonly explain: boolean;
}

/** How a version describes an image. */
export const infoForms: Readonly<Record<Version, InfoForm>> = {
  1: { ...versions[1], version: 1, document: imageInformation[1], closed: closedInformation[1] },
  2: { ...versions[2], version: 2, document: imageInformation[2], closed: closedInformation[2] },
  3: { ...versions[3], version: 3, document: imageInformation[3], closed: closedInformation[3] },
};

const noIiifAddress = (slash: string): ImageError =>
  new ImageError(
    'not-found',
    `This is no IIIF address; its form is {identifier}/{region}/{size}/{rotation}/{quality}.{format} or {identifier}/info.json, with ${slash} or %2F for the slashes of the identifier.`,
  );

function parseIiifAddress(
  { path, query }: Target,
  prefixSegments: number,
  version: Version,
  rules: IiifAddressRules,
): ImageQuery {
  const address = parseAddress(pathBehind(path, prefixSegments), rules.rawSlashes, rules.iiifSlash);
  if (address === undefined) {
    return { kind: 'invalid', identifiers: [], page: 1, error: noIiifAddress(rules.iiifSlash) };
  }
  const imagePath = `${pathUpTo(path, prefixSegments)}/${address.rawIdentifier}`;
  const pathInTier = (tier: string): string | undefined => {
    const behind = behindIdentifier(address);
    return behind === undefined ? undefined : `${joinTier(imagePath, tier)}/${behind}`;
  };
  const name = { identifiers: address.identifiers, page: 1, pathInTier };
  const iiifPathOf = (): string => imagePath;
  if (address.kind === 'base') return { ...name, kind: 'redirect-to-info', iiifPathOf };
  if (address.kind === 'info') return { ...name, kind: 'info', form: infoForms[version], iiifPathOf };
  try {
    const request = parseImagePath(address.path, version);
    const linkOf = ({ resolved }: Pick<ImageAnswer, 'resolved'>): LinkHeader => {
      if (resolved === undefined) throw new TypeError('a request of IIIF that has no region');
      return linkTo(
        `${imagePath}/${canonicalPath(request, address.path, resolved, version)}`,
        versions[version].profile,
      );
    };
    return { ...name, kind: 'picture', request, explain: rules.explain && wantsExplanation(query), linkOf };
  } catch (error) {
    return { ...name, kind: 'invalid', error };
  }
}

export const iiifImageMounts = (rules: IiifAddressRules): readonly ImageMount[] =>
  iiifMounts('', rules).map(({ prefix, version }) => ({
    prefix,
    isAddress: false,
    parse: (target, prefixSegments) => parseIiifAddress(target, prefixSegments, version, rules),
  }));

/** The part of an address behind the identifier that means the same for an image of any size; undefined where it names pixels. */
function behindIdentifier(address: IiifAddress): string | undefined {
  if (address.kind !== 'image') return 'info.json';
  const { region, size, rotation, qualityAndFormat } = address.path;
  if (!/^(?:full|square|pct:.*)$/.test(region)) return undefined;
  return [region, size, rotation, qualityAndFormat].map(encodeURIComponent).join('/');
}

interface Named {
  /** The possible paths of the identifier, likeliest first; there is at least one. */
  readonly identifiers: readonly string[];
  /** As it was sent, for the addresses in responses. */
  readonly rawIdentifier: string;
}

/** `base` is the image's base address, which leads to info.json. */
export type IiifAddress = Named &
  ({ readonly kind: 'base' } | { readonly kind: 'info' } | { readonly kind: 'image'; readonly path: ImagePath });

/** Where there are more marks than this, all of them stand for slashes. */
const maxMarks = 8;

/**
 * The possible paths of an identifier. A mark, digilib's `!`, stands for a slash, but is also a character of names. In the
 * first path all marks are slashes, in the next all but the last, and so on: `book!who!.jpg` can be `book/who/.jpg`,
 * `book/who!.jpg` or `book!who!.jpg`.
 */
function meaningsOf(identifier: string, slash: string): readonly string[] {
  const parts = identifier.split(slash);
  if (parts.length > maxMarks + 1) return [parts.join('/')];
  return parts.map((_, literal) => {
    const slashes = parts.length - literal;
    return [...parts.slice(0, slashes - 1), parts.slice(slashes - 1).join(slash)].join('/');
  });
}

/** Parses the identifier's segments, which are several only where raw slashes are allowed. */
function parseIdentifierSegments(segments: readonly string[], rawSlashes: boolean, slash: string): Named | undefined {
  if (segments.length === 0 || (segments.length > 1 && !rawSlashes)) return undefined;
  const rawIdentifier = segments.join('/');
  const identifier = decodeSegment(rawIdentifier);
  return identifier === undefined || identifier === ''
    ? undefined
    : { identifiers: meaningsOf(identifier, slash), rawIdentifier };
}

/** Region, size, rotation, quality and format, where the last four segments can be these. */
function parseImageSegments(segments: readonly string[]): ImagePath | undefined {
  const [region, size, rotation, qualityAndFormat] = segments.slice(-4).map(decodeSegment);
  if (region === undefined || size === undefined || rotation === undefined || qualityAndFormat === undefined) {
    return undefined;
  }
  return { region, size, rotation, qualityAndFormat };
}

/**
 * Parses the raw path behind the prefix from the right, without its leading slash and its query. The identifier is one
 * segment in which slashes stand as `%2F` or as `slash`, or with `rawSlashes` any number of segments. Undefined where
 * the path has no such form.
 */
export function parseAddress(rawPath: string, rawSlashes: boolean, slash = '!'): IiifAddress | undefined {
  const segments = rawPath.split('/');
  if (segments.at(-1) === 'info.json') {
    const named = parseIdentifierSegments(segments.slice(0, -1), rawSlashes, slash);
    return named && { ...named, kind: 'info' };
  }
  if (segments.length >= 5 && (!rawSlashes || segments.at(-1)?.includes('.'))) {
    const named = parseIdentifierSegments(segments.slice(0, -4), rawSlashes, slash);
    const path = parseImageSegments(segments);
    if (named && path) return { ...named, kind: 'image', path };
  }
  const named = parseIdentifierSegments(segments.at(-1) === '' ? segments.slice(0, -1) : segments, rawSlashes, slash);
  return named && { ...named, kind: 'base' };
}
