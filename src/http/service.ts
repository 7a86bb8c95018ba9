/** What the routes call, wired together by app.ts, and who is calling. */
import type { IncomingMessage } from 'node:http';
import type { Caller } from '../access/rules.ts';
import type { Version } from '../iiif/version.ts';
import type { Limits } from '../image/limits.ts';
import type { Admission } from '../service/admit.ts';
import type { Browsing } from '../service/browse.ts';
import type { Descriptions } from '../service/describe.ts';
import type { Images } from '../service/images.ts';
import type { Presentation } from '../service/present.ts';
import type { OverviewTable } from './config-page.ts';
import type { DigilibErrors } from './errors.ts';
import { isForwarded, type TrustedProxies } from './origin.ts';

/** The longest address that is read, in bytes (survive.md, "Input"). */
export const maxAddressBytes = 8192;

export interface Service {
  readonly admission: Admission;
  readonly images: Images;
  readonly browsing: Browsing;
  readonly descriptions: Descriptions;
  /** The running configuration, as those who run the server may see it. */
  readonly overview: () => readonly OverviewTable[];
  readonly presentation: Presentation;
  readonly limits: Limits;
  readonly trusted: TrustedProxies;
  /** What stands before our paths for those who ask, where the configuration says it. */
  readonly publicAddress: string | undefined;
  /** Whether an identifier in an IIIF address may hold raw slashes. */
  readonly rawSlashes: boolean;
  /** The path below which everything is served; empty for the root. */
  readonly contextPath: string;
  readonly errors: DigilibErrors;
  /** The `Cache-Control` of pictures and of info.json. */
  readonly cacheControl: string;
  /** Whether `?explain=1` tells how a picture would be made. */
  readonly explain: boolean;
  /** The version of the IIIF Image API behind digilib's prefix where the address names none. */
  readonly defaultIiifVersion: Version;
}

/** Who sent a request. */
export const callerOf = (request: IncomingMessage): Caller => ({ address: request.socket.remoteAddress ?? '' });

const isLoopback = (address: string): boolean => /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/i.test(address);

/** A name of another host, though the client is this machine, is what a page of the web asks by that rebinds its name. */
const namesLoopback = (host: string | undefined): boolean =>
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i.test(host ?? '');

/** Whether the request is from somebody who runs this server: from the machine itself, not passed on by a proxy on it. */
export const mayConfigure = async (request: IncomingMessage, _service: Service): Promise<boolean> =>
  isLoopback(request.socket.remoteAddress ?? '') && namesLoopback(request.headers.host) && !isForwarded(request);
