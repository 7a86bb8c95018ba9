/** The info object before Fastify, at its address in the usual spelling. */
import { type InfoText, infoText } from '../../digilib/info.ts';
import type { ParameterValues } from '../../digilib/parameters.ts';
import { parseQuery } from '../../digilib/query.ts';
import type { Admitted, ImageSet } from '../../image/model/image-set.ts';
import {
  contextOf,
  type InfoObjectParts,
  imageNamedBy,
  infoObjectPaths,
  infoObjectRepresentation,
  namesImage,
} from '../info-object.ts';
import { commonHeaders, contentHeaders, metadataHeaders } from '../representation.ts';
import type { ResponseMaker } from './fast-path.ts';
import type { CachedResponse } from './response-cache.ts';

export interface FastInfoObjectParts extends InfoObjectParts {
  readonly contextPath: string;
}

const headers = [
  ...commonHeaders,
  ...metadataHeaders(infoObjectRepresentation),
  ...contentHeaders(infoObjectRepresentation),
  'content-length',
];

const writeText =
  (text: InfoText): CachedResponse['write'] =>
  (request, response, origin) => {
    const body = text(contextOf(request, origin));
    const bytes = Buffer.byteLength(body);
    // Node writes text and headers in one piece, and need not encode text in which each character is one byte.
    response.writeHead(200, [...headers, String(bytes)]).end(body, bytes === body.length ? 'latin1' : 'utf8');
    return undefined;
  };

function readQuery(query: string): ParameterValues | undefined {
  try {
    return parseQuery(query);
  } catch {
    return undefined;
  }
}

/** The adapter for the info object. */
export function createInfoObjectMaker(parts: FastInfoObjectParts): ResponseMaker {
  const path = `${parts.contextPath}${infoObjectPaths[0]}`;

  function cachedResponse(values: ParameterValues, image: Admitted<ImageSet> | undefined): CachedResponse {
    const hasNoName = !namesImage(values);
    return {
      kind: 'info-object',
      // An image that does not exist can be added at any time, and with rules of access an image is the caller's own.
      isShared: hasNoName || (image !== undefined && !parts.guarded),
      fits: () => true,
      isFresh: () => hasNoName || (image !== undefined && parts.publicImages.isFresh(image)),
      refresh: async (request) => cachedResponse(values, await imageNamedBy(values, request, parts)),
      write: writeText(infoText(values, image)),
    };
  }

  return (_request, address) => {
    if (!address.startsWith(path)) return undefined;
    if (address.length > path.length && address[path.length] !== '?') return undefined;
    const values = readQuery(address.slice(path.length + 1));
    return values && cachedResponse(values, undefined);
  };
}
