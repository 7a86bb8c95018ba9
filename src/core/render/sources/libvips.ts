/** Loads libvips at its first use, which takes 20 MB and 50 ms of processor time, and collects what it warns about. */
import { createRequire } from 'node:module';
import type sharp from 'sharp';
import type { Sharp } from 'sharp';

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

type Observer = (warning: string) => void;

const observers = new Set<Observer>();

/**
 * Passes an image's warnings on. libvips has one list of warnings for a process, and sharp gives all in it to the image whose
 * work ends first: so each image that can end beside others has to be passed through here.
 */
export function withWarnings(image: Sharp): Sharp {
  return image.on('warning', (warning: string) => {
    for (const observe of observers) observe(warning);
  });
}

/** The result of work, and the warnings until its end: all of its own, and maybe some of the work beside it. */
export async function collectWarnings<T>(work: () => Promise<T>): Promise<{ result: T; warnings: readonly string[] }> {
  const warnings: string[] = [];
  const observe = (warning: string): void => void warnings.push(warning);
  observers.add(observe);
  try {
    return { result: await work(), warnings };
  } finally {
    observers.delete(observe);
  }
}
