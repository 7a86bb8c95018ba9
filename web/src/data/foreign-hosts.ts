/**
 * Requests to other hosts: allowed by the settings, without cookies and referrer, and of a bounded size; and the images of
 * their manifests.
 */

import type { Size } from '../../../src/core/image/model/geometry.ts';
import { parseJson } from '../model/json-value.ts';
import type { ManifestPage } from '../model/manifest/canvas.ts';
import { type ForeignInfo, isAllowed, readInfo, thumbnailAddress } from '../model/manifest/foreign-service.ts';
import { type Answer, fault, problemOf } from './fetch.ts';
import type { ForeignAbout, ForeignImage, ImageFacts, InfoJson, TileSource } from './images.ts';
import { pageSettings } from './page-settings.ts';

/** In bytes. The largest manifests of libraries have some 20 MB. */
const maxBytes = 40_000_000;

/** Time for one document, in ms. */
const deadlineMs = 60_000;

/** Many old manifests name addresses without TLS, which a page with TLS can't load; nearly all such hosts have it. */
export const reachable = (address: string): string =>
  location.protocol === 'https:' ? address.replace(/^http:/i, 'https:') : address;

export const isAllowedHere = (address: string): boolean =>
  isAllowed(reachable(address), pageSettings.manifests, location.href);

/** The text of an answer; undefined where it is too long. */
async function readText(answer: Response): Promise<string | undefined> {
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for (;;) {
    const part = await reader?.read();
    if (part?.value === undefined) return text + decoder.decode();
    bytes += part.value.length;
    if (bytes > maxBytes) {
      await reader?.cancel();
      return undefined;
    }
    text += decoder.decode(part.value, { stream: true });
  }
}

const options = (signal: AbortSignal): RequestInit => ({ credentials: 'omit', referrerPolicy: 'no-referrer', signal });

/** Whether a host answers at all: a request of this kind is answered also where the host shares nothing, but can't be read. */
async function answersBlindly(address: string, signal: AbortSignal): Promise<boolean> {
  try {
    await fetch(address, { ...options(signal), mode: 'no-cors' });
    return true;
  } catch {
    return false;
  }
}

export async function fetchForeignJson(address: string, wanted?: AbortSignal): Promise<Answer<unknown>> {
  const answer = await fetchForeignText(address, wanted);
  return answer.ok ? { ok: true, value: parseJson(answer.value) } : answer;
}

export async function fetchForeignText(address: string, wanted?: AbortSignal): Promise<Answer<string>> {
  if (!isAllowedHere(address)) return fault('refused-host');
  const signal = AbortSignal.any([AbortSignal.timeout(deadlineMs), ...(wanted ? [wanted] : [])]);
  const url = reachable(address);
  try {
    const answer = await fetch(url, options(signal));
    if (!answer.ok) return fault(problemOf(answer.status));
    const text = await readText(answer);
    return text === undefined ? fault('too-large') : { ok: true, value: text };
  } catch {
    if (wanted?.aborted) return fault('aborted');
    return fault((await answersBlindly(url, signal)) ? 'unshared' : 'unreachable');
  }
}

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
  if (address === undefined) return fault('no-image');
  if (!isAllowedHere(address)) return fault('refused-host');
  const url = reachable(address);
  const shared = await loadPicture(url, 'anonymous');
  const size = shared ?? (await loadPicture(url, null));
  if (size === undefined) return fault('unreachable');
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

/** `json` is the manifest itself, which pages with sound or video need. */
export function foreignImageOf(
  page: ManifestPage,
  manifest: string,
  { json, book }: { readonly json: unknown; readonly book: ForeignAbout },
): ForeignImage {
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
    json: page.played === undefined ? undefined : json,
    about: book,
    thumbnail(size) {
      const address = thumbnailAddress(page, size);
      return address !== undefined && isAllowedHere(address) ? reachable(address) : undefined;
    },
    info: load,
    facts: () => factsOf(page, load()),
  };
}
