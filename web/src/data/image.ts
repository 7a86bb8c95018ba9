/** Requests facts about an image: digilib's info object. */
import { type Answer, addressOf, fetchJson } from './fetch.ts';
import { foreignImage } from './foreign-images.ts';
import type { ImageFacts } from './image-types.ts';

export type { ImageFacts } from './image-types.ts';

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
  if (!(width > 0 && height > 0)) return { ok: false, problem: 'not-found' };
  return { ok: true, value: { width, height, dpiX: Number(info['img.dpix']), dpiY: Number(info['img.dpiy']) } };
}
