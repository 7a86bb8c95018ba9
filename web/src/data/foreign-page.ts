/** The image of a page of another host's manifest: its tiles, or where it has none its picture as a whole. */
import type { Size } from '../../../src/core/image/model/geometry.ts';
import { type ForeignInfo, readInfo } from '../model/manifest/info.ts';
import type { ManifestPage } from '../model/manifest/page.ts';
import { thumbnailAddress } from '../model/manifest/thumbnail.ts';
import type { Answer } from './fetch.ts';
import { fetchForeignJson, isAllowedHere, reachable } from './fetch-foreign.ts';
import type { ForeignImage } from './foreign-images.ts';
import type { ImageFacts, InfoJson, TileSource } from './image-types.ts';

/** Loads a picture as a whole, and says its size in pixels; undefined where it can't be loaded in this way. */
const loadPicture = (address: string, crossOrigin: 'anonymous' | null): Promise<Size | undefined> =>
  new Promise((resolve) => {
    const picture = new Image();
    picture.crossOrigin = crossOrigin;
    picture.referrerPolicy = 'no-referrer';
    picture.onload = () => {
      const { naturalWidth: width, naturalHeight: height } = picture;
      resolve(width > 0 && height > 0 ? { width, height } : undefined);
    };
    picture.onerror = () => resolve(undefined);
    picture.src = address;
  });

/** A single tile, which is the whole picture. */
const wholeSource = (address: string, { width, height }: Size): TileSource => ({
  width,
  height,
  tileWidth: width,
  tileHeight: height,
  minLevel: 0,
  maxLevel: 0,
  getTileUrl: () => address,
});

/** Where the host does not let other sites read the picture, it is shown all the same, in its own colors alone. */
async function pictureInfo(address: string | undefined): Promise<Answer<InfoJson>> {
  if (address === undefined) return { ok: false, problem: 'no-image' };
  if (!isAllowedHere(address)) return { ok: false, problem: 'refused-host' };
  const url = reachable(address);
  const shared = await loadPicture(url, 'anonymous');
  const size = shared ?? (await loadPicture(url, null));
  if (size === undefined) return { ok: false, problem: 'unreachable' };
  const isReadable = shared !== undefined;
  return { ok: true, value: { id: url, ...size, isReadable, tileSource: wholeSource(url, size) } };
}

const tiledInfo = (info: ForeignInfo): InfoJson => ({
  id: info.id,
  width: info.width,
  height: info.height,
  isReadable: true,
  tileSource: info,
});

async function infoOf({ image }: ManifestPage, signal?: AbortSignal): Promise<Answer<InfoJson>> {
  if (image?.service === undefined) return pictureInfo(image?.address);
  const id = reachable(image.service.id);
  const answer = await fetchForeignJson(`${id}/info.json`, signal);
  const info = answer.ok ? readInfo(answer.value, id) : undefined;
  if (info !== undefined) return { ok: true, value: tiledInfo(info) };
  if (!answer.ok && answer.problem === 'aborted') return answer;
  // A picture without tiles is better than none.
  const picture = await pictureInfo(
    image.address ?? `${id}/full/${image.service.version === 3 ? 'max' : 'full'}/0/default.jpg`,
  );
  return picture.ok || answer.ok ? picture : answer;
}

/** The pixels of an image with its resolution, where the manifest gives physical dimensions. */
async function factsOf(
  { canvas, inches, place }: ManifestPage,
  info: Promise<Answer<InfoJson>>,
): Promise<Answer<ImageFacts>> {
  const answer = await info;
  if (!answer.ok) return answer;
  const { width, height } = answer.value;
  const known = canvas !== undefined && inches !== undefined;
  const dpiX = known ? width / (canvas.width * place.width * inches) : 0;
  const dpiY = known ? height / (canvas.height * place.height * inches) : 0;
  return { ok: true, value: { width, height, dpiX, dpiY } };
}

export function foreignImageOf(page: ManifestPage, manifest: string): ForeignImage {
  let info: Promise<Answer<InfoJson>> | undefined;
  /** A request that failed is made again. */
  const load = (signal?: AbortSignal): Promise<Answer<InfoJson>> => {
    const started = info ?? infoOf(page, signal);
    info = started;
    void started.then((answer) => {
      if (!answer.ok && info === started) info = undefined;
    });
    return started;
  };
  return {
    manifest,
    page,
    thumbnail(size) {
      const address = thumbnailAddress(page, size);
      return address !== undefined && isAllowedHere(address) ? reachable(address) : undefined;
    },
    info: load,
    facts: () => factsOf(page, load()),
  };
}
