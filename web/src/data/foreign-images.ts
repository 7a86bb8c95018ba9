/** Images of other people's manifests by their paths: known from the moment on that their manifest is open. */
import type { Size } from '../../../src/core/image/model/geometry.ts';
import type { ManifestPage } from '../model/manifest/page.ts';
import type { Answer } from './fetch.ts';
import type { ImageFacts, InfoJson } from './image-types.ts';

export interface ForeignImage {
  /** The address of its manifest. */
  readonly manifest: string;
  readonly page: ManifestPage;
  /** The address of a picture of about this size in pixels; undefined where none can be had. */
  thumbnail(size: Size): string | undefined;
  /** What the stage needs to draw it. */
  info(signal?: AbortSignal): Promise<Answer<InfoJson>>;
  facts(): Promise<Answer<ImageFacts>>;
}

/** Manifests of which the images stay known; more are open only in other windows. */
const maxManifests = 12;

const manifests = new Map<string, ReadonlyMap<string, ForeignImage>>();

/** Makes the images of a manifest known by their paths. */
export function addForeignImages(manifest: string, images: ReadonlyMap<string, ForeignImage>): void {
  manifests.delete(manifest);
  manifests.set(manifest, images);
  const [oldest] = manifests.keys();
  if (manifests.size > maxManifests && oldest !== undefined) manifests.delete(oldest);
}

/** The image of another host at a path; undefined for images of the library. */
export function foreignImage(path: string): ForeignImage | undefined {
  if (!path.startsWith('//')) return undefined;
  for (const images of manifests.values()) {
    const image = images.get(path);
    if (image !== undefined) return image;
  }
  return undefined;
}
