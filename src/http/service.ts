/** What the routes call, wired together by app.ts. */
import type { Version } from '../iiif/version.ts';
import type { PageLabels } from '../image/folder/page-labels.ts';
import type { Kernel } from '../image/model/image-request.ts';
import type { Limits } from '../image/model/limits.ts';
import type { Unit } from '../image/model/units.ts';
import type { Admission } from '../service/admit.ts';
import type { Browsing } from '../service/browse.ts';
import type { Descriptions } from '../service/describe.ts';
import type { Images } from '../service/images.ts';
import type { Presentation } from '../service/present.ts';
import type { Callers } from './callers.ts';
import type { OverviewTable } from './config-page.ts';
import type { DigilibErrors } from './errors.ts';
import type { ImageFastPath, PublicImages } from './fast-path/image-fast-path.ts';
import type { TrustedProxies } from './origin.ts';
import type { Site } from './site.ts';
import type { WebAssets } from './web-assets.ts';

/** The longest address that is read, in bytes (survive.md, "Input"). */
export const maxAddressBytes = 8192;

/** What the package says of itself. */
export interface About {
  readonly version: string;
  /** Its SPDX identifier. */
  readonly license: string;
  /** One sentence. */
  readonly description: string;
}

export interface Service {
  readonly about: About;
  readonly callers: Callers;
  readonly fastPath: ImageFastPath;
  /** What everyone may see, where there are no rules of access. */
  readonly publicImages: PublicImages;
  /** Whether there are rules of access, so that lists differ from caller to caller. */
  readonly guarded: boolean;
  readonly admission: Admission;
  readonly images: Images;
  readonly browsing: Browsing;
  readonly descriptions: Descriptions;
  /** The running configuration, as those who run the server may see it. */
  readonly overview: () => Promise<readonly OverviewTable[]>;
  readonly presentation: Presentation;
  readonly limits: Limits;
  readonly trusted: TrustedProxies;
  /** What stands before our paths for those who ask, where the configuration says it. */
  readonly publicAddress: string | undefined;
  /** How pixels are computed for digilib requests that don't say it. */
  readonly defaultKernel: Kernel;
  /** The name behind `Scaler` and `Manifester` that leads to IIIF. */
  readonly iiifPrefix: string;
  /** What stands for a slash in the identifiers of IIIF addresses. */
  readonly iiifSlash: string;
  readonly pageLabels: PageLabels;
  /** A folder of static pages that are served below the context path, absolute. */
  readonly webapp: Site | undefined;
  /** Whether an identifier in an IIIF address may hold raw slashes. */
  readonly rawSlashes: boolean;
  /** The path below which everything is served; empty for the root. */
  readonly contextPath: string;
  /** The reading room's page and its parts, as they were built. */
  readonly webAssets: WebAssets;
  /** Which pages may show the reading room inside of themselves, as sources of a Content-Security-Policy. */
  readonly embedAncestors: readonly string[];
  /** Units of length that the site adds to those of the reading room. */
  readonly units: readonly Unit[];
  readonly errors: DigilibErrors;
  /** The `Cache-Control` of what everyone may see. */
  readonly cacheControl: string;
  /** Whether `?explain=1` tells how a picture would be made. */
  readonly explain: boolean;
  /** The version of the IIIF Image API behind digilib's prefix where the address names none. */
  readonly defaultIiifVersion: Version;
}

/** What only some may see is asked for anew each time, so that it is shown as long as they may. */
export const privateCacheControl = 'private, no-cache';

/** The `Cache-Control` of what everyone or only some may see. */
export const cacheControlOf = (isOpen: boolean, { cacheControl }: Service): string =>
  isOpen ? cacheControl : privateCacheControl;
