/** Requests the `info.json` of the image service from which tiles are loaded: IIIF Image API 3.0. */
import { infoPath, servicePath } from '../model/image-service.ts';
import { type Answer, fetchJson } from './fetch.ts';
import { pageSettings } from './page-settings.ts';

/** The members that are used here; OpenSeadragon gets all. */
export interface InfoJson {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

/** The `id` is replaced by one below the base of the page: the browser may not reach the server's public address. */
export async function fetchInfoJson(path: string, signal?: AbortSignal): Promise<Answer<InfoJson>> {
  const { iiifSlash } = pageSettings;
  const answer = await fetchJson<InfoJson>(infoPath(path, iiifSlash), signal);
  if (!answer.ok) return answer;
  return { ok: true, value: { ...answer.value, id: new URL(servicePath(path, iiifSlash), document.baseURI).href } };
}
