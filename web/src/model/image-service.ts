/** Where the IIIF service of an image is: apart from what views make of it, since every image is shown by it. */
import { formatIdentifierSegment } from '../../../src/iiif/presentation/addresses.ts';

/** The IIIF address of an image, relative to the base: an image service. */
export const servicePath = (fn: string, slash: string): string => `iiif/3/${formatIdentifierSegment(fn, slash)}`;

/** The address of an image's info.json, relative to the base. */
export const infoPath = (fn: string, slash: string): string => `${servicePath(fn, slash)}/info.json`;
