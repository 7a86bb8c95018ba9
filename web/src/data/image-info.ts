/** Requests what is known of an image: digilib’s info object, and the `info.json` from which tiles are loaded. */

import { joinTier, splitTier } from '../../../src/core/image/model/identifier.ts';
import { infoPath, servicePath } from '../model/view/image-service.ts';
import { type Answer, addressOf, fault, fetchBytes, fetchJson, fetchJsonAndHeader } from './fetch.ts';
import { foreignImage, type ImageFacts, type InfoJson } from './images.ts';
import { pageSettings } from './page-settings.ts';

export type { ImageFacts } from './images.ts';

/** The members that are used: numbers as strings (info-endpoint.md). */
interface InfoObject {
  readonly 'img.dpix': string;
  readonly 'img.dpiy': string;
  readonly 'img.pix_x': string;
  readonly 'img.pix_y': string;
}

/** The server answers for any path: an info object without pixels means that there is no image. */
export async function fetchImageFacts(path: string): Promise<Answer<ImageFacts>> {
  const foreign = foreignImage(path);
  if (foreign !== undefined) return foreign.facts();
  const answer = await fetchJson<InfoObject>(addressOf('api/dlInfo-json.jsp', { fn: path }));
  if (!answer.ok) return answer;
  const info = answer.value;
  const [width, height] = [Number(info['img.pix_x']), Number(info['img.pix_y'])];
  if (!(width > 0 && height > 0)) return fault('not-found');
  return { ok: true, value: { width, height, dpiX: Number(info['img.dpix']), dpiY: Number(info['img.dpiy']) } };
}

export type { InfoJson } from './images.ts';

/** Whether the server knows by now that a part of the image is missing: it may notice only when it decodes the pixels. */
export async function fetchTruncation(path: string): Promise<boolean> {
  if (foreignImage(path) !== undefined) return false;
  const answer = await fetchJson<InfoJson>(infoPath(path, pageSettings.iiifSlash), undefined, 'no-cache');
  return answer.ok && answer.value.truncated === true;
}

/** The `id` is replaced by one below the base of the page: the browser may not reach the server's public address. */
export async function fetchInfoJson(path: string, signal?: AbortSignal): Promise<Answer<InfoJson>> {
  const foreign = foreignImage(path);
  if (foreign !== undefined) return foreign.info(signal);
  const { iiifSlash } = pageSettings;
  const answer = await fetchJsonAndHeader<InfoJson>(infoPath(path, iiifSlash), 'lectern-version', signal);
  if (!answer.ok) return answer;
  const { json: info, header: pictureVersion } = answer.value;
  // The server refers to the tier of an image that the reader may not see whole.
  const { tier } = splitTier(info.id);
  const service = servicePath(joinTier(splitTier(path).path, tier), iiifSlash);
  const id = new URL(service, document.baseURI).href;
  return { ok: true, value: { ...info, id, ...(pictureVersion !== undefined && { pictureVersion }) } };
}

/** Fetches a small picture of the image: info.json comes from the header of its file alone, and may be there without it. */
export const fetchSmallPicture = (path: string): Promise<Answer<Blob>> =>
  fetchBytes(`${servicePath(path, pageSettings.iiifSlash)}/full/!64,64/0/default.jpg`);
