/** The path prefixes of IIIF images: the server's own, and digilib's. */

import { servletPaths } from '../../core/image/addresses/servlets.ts';
import type { Version } from './version.ts';

export interface IiifMount {
  /** The path before the identifier, without a slash at its end. */
  readonly prefix: string;
  readonly version: Version;
}

export interface IiifMountRules {
  /** The name after `Scaler` and `Manifester` that leads to IIIF. */
  readonly iiifPrefix: string;
  /** The version of the Image API under digilib's prefix where the address names none. */
  readonly defaultIiifVersion: Version;
}

const imageVersions: readonly Version[] = [1, 2, 3];

/** All mounts below a base path; the first of a version is the server's own, the others are digilib's. */
export const iiifMounts = (base: string, { iiifPrefix, defaultIiifVersion }: IiifMountRules): readonly IiifMount[] => [
  ...imageVersions.map((version) => ({ prefix: `${base}/iiif/${version}`, version })),
  ...servletPaths('Scaler')
    .map((path) => `${base}${path}/${iiifPrefix}`)
    .flatMap((prefix) => [
      { prefix, version: defaultIiifVersion },
      ...imageVersions.map((version) => ({ prefix: `${prefix}/${version}`, version })),
    ]),
];
