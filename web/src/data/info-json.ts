/** Requests the `info.json` of the image service from which tiles are loaded: IIIF Image API 3.0. */
import { infoPath, servicePath } from '../model/image-service.ts';
import { type Answer, fetchBytes, fetchJson } from './fetch.ts';
import { foreignImage } from './foreign-images.ts';
import type { InfoJson } from './image-types.ts';
import { pageSettings } from './page-settings.ts';

export type { InfoJson } from './image-types.ts';

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
  const answer = await fetchJson<InfoJson>(infoPath(path, iiifSlash), signal);
  if (!answer.ok) return answer;
  return { ok: true, value: { ...answer.value, id: new URL(servicePath(path, iiifSlash), document.baseURI).href } };
}

/** Fetches a small picture of the image: info.json comes from the header of its file alone, and may be there without it. */
export const fetchSmallPicture = (path: string): Promise<Answer<Blob>> =>
  fetchBytes(`${servicePath(path, pageSettings.iiifSlash)}/full/!64,64/0/default.jpg`);
