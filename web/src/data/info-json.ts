/** The image service that the tiles come from: IIIF Image API 3.0. */
import { infoPath, servicePath } from '../model/image-service.ts';
import { type Answer, fetchJson } from './fetch.ts';
import { pageSettings } from './page-settings.ts';

/** What is used of an `info.json`; the rest goes to OpenSeadragon as it is. */
export interface InfoJson {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

/** The image at a path. Its tiles are asked at the page's own address: what the server is called elsewhere may be out of reach. */
export async function fetchInfoJson(path: string, signal?: AbortSignal): Promise<Answer<InfoJson>> {
  const { iiifSlash } = pageSettings;
  const answer = await fetchJson<InfoJson>(infoPath(path, iiifSlash), signal);
  if (!answer.ok) return answer;
  return { ok: true, value: { ...answer.value, id: new URL(servicePath(path, iiifSlash), document.baseURI).href } };
}
