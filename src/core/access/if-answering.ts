/** Bounds of what one request does: how much at the same time, and how long it waits for a disk that does not answer. */
import { ImageError, isNoAnswer } from '../image/model/errors.ts';

/** Options for p-map: the disk is shared with requests for tiles. */
export const bounded = { concurrency: 32 } as const;

/** After this time in ms the rest is shown without it. */
const waitMs = 2000;

/** The result, or `no-answer` where its disk hangs or is very slow, or its folder is too large to be listed. */
export function ifAnswering<T>(part: Promise<T>): Promise<T | 'no-answer'> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, waitMs, 'no-answer');
    const fail = (error: unknown): void => {
      if (isNoAnswer(error) || (error instanceof ImageError && error.code === 'too-large')) resolve('no-answer');
      else reject(error);
    };
    part.finally(() => clearTimeout(timer)).then(resolve, fail);
  });
}
