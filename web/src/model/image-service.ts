/** Addresses of IIIF image services; apart from `iiif-address.ts`, since the bundle of the page needs only these. */
import { formatIdentifierSegment } from '../../../src/features/presentation/model/addresses.ts';

/** Relative to the base. */
export const servicePath = (fn: string, slash: string): string => `iiif/3/${formatIdentifierSegment(fn, slash)}`;

/** Relative to the base. */
export const infoPath = (fn: string, slash: string): string => `${servicePath(fn, slash)}/info.json`;
