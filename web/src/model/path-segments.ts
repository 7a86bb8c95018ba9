/** Paths of images and folders in addresses of the reading room. */
import { decodeText } from './query-pairs.ts';

const isSegment = (name: string): boolean => name !== '' && name !== '.';

/** The decoded segments of a percent-encoded path. */
export const decodeNames = (path: string): readonly string[] => path.split('/').map(decodeText).filter(isSegment);

/** The path without empty segments, as the server reads it. */
export const cleanPath = (path: string): string => path.split('/').filter(isSegment).join('/');

/** Whether a browser would resolve the path to another one, since it contains `.` or `..`, encoded or not. */
export const isResolvedAway = (path: string): boolean =>
  path.split('/').some((name) => /^(?:\.|%2e){1,2}$/i.test(name));
