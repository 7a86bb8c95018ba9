/** Guided views as a text for addresses: compressed JSON in base64url. */
import { formatTour, parseTour, type Tour, tourLimits } from '../../../../src/core/image/tour/tour.ts';
import { parseJson } from '../../model/json-value.ts';

/** What such texts begin with: paths and addresses of the web begin otherwise. */
const mark = 'z:';

/** In characters. Servers and proxies accept addresses of some 8,000; the rest is for that of the view and the library. */
const maxText = 5000;

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  transform: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { value } = await reader.read();
    if (value === undefined) return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
    parts.push(value);
    length += value.length;
    if (length > tourLimits.bytes) throw new RangeError('too long');
  }
}

const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

/** The guided views as text; undefined where it would be too long for an address. */
export async function packTour(tour: Tour): Promise<string | undefined> {
  const { type: _type, version: _version, ...members } = formatTour(tour) as Record<string, unknown>;
  const bytes = new TextEncoder().encode(JSON.stringify(members));
  const text = mark + toBase64(await through(bytes, new CompressionStream('deflate-raw')));
  return text.length > maxText ? undefined : text;
}

export const isPacked = (text: string): boolean => text.startsWith(mark);

/** Undefined for a text that is not of guided views; `packTour` writes it. */
export async function unpackTour(text: string): Promise<Tour | undefined> {
  try {
    const bytes = await through(fromBase64(text.slice(mark.length)), new DecompressionStream('deflate-raw'));
    return parseTour(parseJson(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}
