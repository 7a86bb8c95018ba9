/** Paths of images and folders inside of addresses. */
import { decodeText, encodeName } from './query-pairs.ts';

const isSegment = (name: string): boolean => name !== '' && name !== '.';

/** The names of a path that is percent-encoded, from the root downward. */
export const decodeNames = (path: string): readonly string[] => path.split('/').map(decodeText).filter(isSegment);

/** A path without empty names, as the server reads it. */
export const cleanPath = (path: string): string => path.split('/').filter(isSegment).join('/');

/** A path of an image or folder behind the name of a part of the reading room. */
export const encodePath = (path: string): string => cleanPath(path).split('/').map(encodeName).join('/');

/** Whether a browser would resolve the path to another: it goes upward, in one spelling or the other. */
export const isResolvedAway = (path: string): boolean =>
  path.split('/').some((name) => /^(?:\.|%2e){1,2}$/i.test(name));
