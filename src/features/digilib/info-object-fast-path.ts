/** The info object before Fastify, at its address in the usual spelling. */

import type { CachedResponse, ResponseMaker } from '../../core/http/fast-path/fast-path.ts';
import { contentHeaders, type HeaderList, metadataHeaders } from '../../core/http/representation.ts';
import { headersForReaders } from '../../core/http/restricted-readers.ts';
import { type Admitted, type ImageSet, isForAll } from '../../core/image/model/image-set.ts';
import { type InfoText, infoText } from './info-object.ts';
import {
  contextOf,
  type InfoObjectParts,
  imageNamedBy,
  infoObjectPaths,
  infoObjectRepresentation,
  namesImage,
} from './info-object-request.ts';
import { type ParameterValues, parseQuery } from './parameters.ts';

export interface FastInfoObjectParts extends InfoObjectParts {
  readonly contextPath: string;
  /** The headers of every answer. */
  readonly commonHeaders: HeaderList;
}

const headersWith = (common: HeaderList): HeaderList => [
  ...common,
  ...metadataHeaders(infoObjectRepresentation),
  ...contentHeaders(infoObjectRepresentation),
  'content-length',
];

const writeText =
  (text: InfoText, headers: HeaderList): CachedResponse['write'] =>
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
  const { commonHeaders } = parts;
  const headers = headersWith(commonHeaders);
  const path = `${parts.contextPath}${infoObjectPaths[0]}`;

  function cachedResponse(
    values: ParameterValues,
    image: Admitted<ImageSet> | undefined,
    sent: HeaderList = headers,
  ): CachedResponse {
    const hasNoName = !namesImage(values);
    return {
      kind: 'info-object',
      // An image that does not exist can be added at any time, and with rules of access an image is the caller's own.
      isShared: hasNoName || (image !== undefined && !parts.guarded),
      fits: () => true,
      isFresh: () => hasNoName || (image !== undefined && parts.publicImages.isFresh(image)),
      refresh: async (request) => {
        const now = await imageNamedBy(values, request, parts);
        const isOpen = !parts.guarded || now === undefined || isForAll(now);
        const readers = isOpen ? '*' : parts.callers.readersOf(request);
        return cachedResponse(
          values,
          now,
          readers === '*' ? headers : headersWith(headersForReaders(readers, commonHeaders)),
        );
      },
      write: writeText(infoText(values, image), sent),
    };
  }

  return (_request, address) => {
    if (!address.startsWith(path)) return undefined;
    if (address.length > path.length && address[path.length] !== '?') return undefined;
    const values = readQuery(address.slice(path.length + 1));
    return values && cachedResponse(values, undefined);
  };
}
