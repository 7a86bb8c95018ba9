/** The addresses of the IIIF Image API become queries for images, at the server's own prefixes and at digilib's. */

import type { ImageAnswer } from '../../core/answers/images.ts';
import { type ImageMount, type ImageQuery, type InfoForm, wantsExplanation } from '../../core/http/image-address.ts';
import { type LinkHeader, linkTo } from '../../core/http/link-header.ts';
import { pathBehind, pathUpTo, type Target } from '../../core/http/target.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import { parseAddress } from './address.ts';
import { canonicalPath } from './canonical.ts';
import { type IiifMountRules, iiifMounts } from './iiif-mounts.ts';
import { parseImagePath } from './image-path.ts';
import { imageInformation } from './info.ts';
import { type Version, versions } from './version.ts';

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
  1: { ...versions[1], document: imageInformation[1] },
  2: { ...versions[2], document: imageInformation[2] },
  3: { ...versions[3], document: imageInformation[3] },
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
  const name = { identifiers: address.identifiers, page: 1 };
  const imagePath = `${pathUpTo(path, prefixSegments)}/${address.rawIdentifier}`;
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
