/** The versions of the IIIF Image API and their differences, in one table, and the path prefixes of each. */

import { servletPaths } from '../../core/image/addresses/servlets.ts';
import { type OutputFormat, outputFormats } from '../../core/image/model/formats.ts';

export type Version = 1 | 2 | 3;

interface VersionRule {
  readonly context: string;
  /** The address of the compliance level that is supported in full. */
  readonly profile: string;
  /** Whether a size larger than the region needs `^` (3.0) or not (before). */
  readonly upscaling: 'caret' | 'allow';
  readonly fullSize: readonly string[];
  readonly square: boolean;
  /** The names of the qualities, each with its meaning. */
  readonly qualities: Readonly<Record<string, 'default' | 'color' | 'gray' | 'bitonal'>>;
}

const qualities = { default: 'default', color: 'color', gray: 'gray', bitonal: 'bitonal' } as const;

export const versions: Readonly<Record<Version, VersionRule>> = {
  1: {
    context: 'http://library.stanford.edu/iiif/image-api/1.1/context.json',
    profile: 'http://library.stanford.edu/iiif/image-api/1.1/compliance.html#level2',
    upscaling: 'allow',
    fullSize: ['full'],
    square: false,
    qualities: {
      native: 'default',
      color: 'color',
      grey: 'gray',
      bitonal: 'bitonal',
      default: 'default',
      gray: 'gray',
    },
  },
  2: {
    context: 'http://iiif.io/api/image/2/context.json',
    profile: 'http://iiif.io/api/image/2/level2.json',
    upscaling: 'allow',
    fullSize: ['full', 'max'],
    square: true,
    qualities,
  },
  3: {
    context: 'http://iiif.io/api/image/3/context.json',
    profile: 'http://iiif.io/api/image/3/level2.json',
    upscaling: 'caret',
    fullSize: ['max'],
    square: true,
    qualities,
  },
};

/** The formats by the extension that they have in an address. */
export const formatExtensions: Readonly<Record<string, OutputFormat>> = Object.fromEntries(
  (Object.keys(outputFormats) as OutputFormat[]).map((format) => [outputFormats[format].extension, format]),
);

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
