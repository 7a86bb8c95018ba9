/** Collects what libvips warns about, which tells of damage that is no error to it. */
import type { Sharp } from 'sharp';

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
