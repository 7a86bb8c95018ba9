/** Facts about one image, by the info object that digilib's clients use. */
import { type Answer, addressOf, fetchJson } from './fetch.ts';

/** The members of the info object that the reading room uses: numbers as text (info-endpoint.md). */
interface InfoObject {
  readonly 'img.dpix': string;
  readonly 'img.dpiy': string;
  readonly 'img.pix_x': string;
  readonly 'img.pix_y': string;
}

export interface ImageFacts {
  /** Upright pixels of the highest resolution. */
  readonly width: number;
  readonly height: number;
  /** Pixels per inch as the file says; 0 where it does not. */
  readonly dpiX: number;
  readonly dpiY: number;
}

/** The image at a path. The info object answers for any path: an image without pixels was not found. */
export async function fetchImageFacts(path: string): Promise<Answer<ImageFacts>> {
  const answer = await fetchJson<InfoObject>(addressOf('api/dlInfo-json.jsp', { fn: path }));
  if (!answer.ok) return answer;
  const info = answer.value;
  const [width, height] = [Number(info['img.pix_x']), Number(info['img.pix_y'])];
  if (!(width > 0 && height > 0)) return { ok: false, problem: 'not-found' };
  return { ok: true, value: { width, height, dpiX: Number(info['img.dpix']), dpiY: Number(info['img.dpiy']) } };
}
