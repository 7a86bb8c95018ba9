/** The parts of the info object that its Fastify route, the fast path and its XML form share (info-endpoint.md). */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Admission, ifAdmitted } from '../../core/access/admit.ts';
import type { Callers } from '../../core/http/callers.ts';
import type { PublicImages } from '../../core/http/image-queries.ts';
import { plainJson } from '../../core/http/negotiation.ts';
import type { Representation } from '../../core/http/representation.ts';
import { addressOf } from '../../core/http/target.ts';
import { informationPaths } from '../../core/image/addresses/servlets.ts';
import { parseIdentifier } from '../../core/image/model/identifier.ts';
import type { Admitted, ImageSet } from '../../core/image/model/image-set.ts';
import type { InfoContext } from './info-object.ts';
import type { ParameterValues } from './parameters.ts';

export interface InfoObjectParts {
  readonly admission: Admission;
  readonly callers: Callers;
  readonly publicImages: PublicImages;
  /** Whether there are rules of access, so that responses differ from caller to caller. */
  readonly guarded: boolean;
}

/** Below the context path. */
export const infoObjectPaths = informationPaths('dlInfo-json.jsp');

export const infoObjectRepresentation: Representation = { mediaType: plainJson, cacheControl: 'no-store' };

/** The members that describe the request itself. */
export const contextOf = (request: IncomingMessage, origin: string): InfoContext => ({
  method: request.method ?? 'GET',
  address: addressOf(request, origin),
  id: randomUUID().slice(0, 8),
});

/** Whether the query names an image; an empty name, in any spelling, is that of the library and names none. */
export const namesImage = ({ fn }: ParameterValues): boolean =>
  fn !== '' && (parseIdentifier(fn)?.segments.length ?? 0) > 0;

/** The image that the query names, if the caller may see it. */
export async function imageNamedBy(
  values: ParameterValues,
  request: IncomingMessage,
  { admission, callers, guarded, publicImages }: InfoObjectParts,
): Promise<Admitted<ImageSet> | undefined> {
  if (!namesImage(values)) return undefined;
  if (!guarded) return ifAdmitted(publicImages.admit({ identifiers: [values.fn], page: values.pn }));
  return ifAdmitted(admission.admit(values.fn, values.pn, await callers.callerOf(request)));
}
