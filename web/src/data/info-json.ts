/** The image service that the tiles come from: IIIF Image API 3.0. */
import { formatIdentifierSegment } from '../../../src/iiif/presentation/addresses.ts';
import { type Answer, ask } from './ask.ts';
import { pageSettings } from './page-settings.ts';

/** What is used of an `info.json`; the rest goes to OpenSeadragon as it is. */
export interface InfoJson {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

/** Below the base. */
export const imageService = (path: string): string => `iiif/3/${formatIdentifierSegment(path, pageSettings.iiifSlash)}`;

/** The image at a path. Its tiles are asked at the page's own address: what the server is called elsewhere may be out of reach. */
export async function askInfoJson(path: string, signal?: AbortSignal): Promise<Answer<InfoJson>> {
  const service = imageService(path);
  const answer = await ask<InfoJson>(`${service}/info.json`, signal);
  return answer.ok ? { ok: true, value: { ...answer.value, id: new URL(service, document.baseURI).href } } : answer;
}
