/** Loads libvips at its first use: parts of pyramids are rendered without it, and it takes 20 MB and 50 ms of processor time. */
import { createRequire } from 'node:module';
import type sharp from 'sharp';

type Libvips = typeof sharp;

let loaded: Libvips | undefined;

/** sharp, as this program uses it: renderings run concurrently, so each has one thread; results are cached as derivatives, not by libvips. */
export function libvips(): Libvips {
  if (loaded === undefined) {
    loaded = createRequire(import.meta.url)('sharp') as Libvips;
    loaded.cache(false);
    loaded.concurrency(1);
  }
  return loaded;
}
