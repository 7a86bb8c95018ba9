/** What the routes call, wired together by app.ts, and who is calling. */
import type { IncomingMessage } from 'node:http';
import type { Caller } from '../access/rules.ts';
import type { PageLabels } from '../iiif/presentation/pages.ts';
import type { Version } from '../iiif/version.ts';
import type { Kernel } from '../image/image-request.ts';
import type { Limits } from '../image/limits.ts';
import type { Admission } from '../service/admit.ts';
import type { Browsing } from '../service/browse.ts';
import type { Images } from '../service/images.ts';
import type { Presentation } from '../service/present.ts';
import type { DigilibErrors } from './errors.ts';
import type { TrustedProxies } from './origin.ts';

/** The longest address that is read, in bytes (survive.md, "Input"). */
export const maxAddressBytes = 8192;

export interface Service {
  readonly admission: Admission;
  readonly images: Images;
  readonly browsing: Browsing;
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
  readonly webapp: string | undefined;
  /** Whether an identifier in an IIIF address may hold raw slashes. */
  readonly rawSlashes: boolean;
  /** The path below which everything is served; empty for the root. */
  readonly contextPath: string;
  readonly errors: DigilibErrors;
  /** The `Cache-Control` of pictures and of info.json. */
  readonly cacheControl: string;
  /** The version of the IIIF Image API behind digilib's prefix where the address names none. */
  readonly defaultIiifVersion: Version;
}

/** Who sent a request. */
export const callerOf = (request: IncomingMessage): Caller => ({ address: request.socket.remoteAddress ?? '' });
