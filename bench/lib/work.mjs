/** The work of a row: which requests are made, again and again or once each. */
import { BenchFailure } from './failure.mjs';
import { pictureRequest, tilesOf, wholesAround } from './requests.mjs';
import { sourceNames } from './sources.mjs';

const photoCopies = 8;

function takeFrom(iterator, count) {
  const taken = [];
  while (taken.length < count) {
    const { value, done } = iterator.next();
    if (done) throw new BenchFailure('There are no further addresses that nobody has asked for.');
    taken.push(value);
  }
  return taken;
}

/** Each value changed, as it is asked for. */
export function* map(values, change) {
  for (const value of values) yield change(value);
}

/** The same requests around and around. */
export const again = (requests, scans = []) => ({ kind: 'again', requests, scans });
/** Requests that come once each; `counts` says how many make a round, by connections. */
export const once = (counts, requests, scans = []) => ({
  kind: 'once',
  counts,
  scans,
  take: async (count) => takeFrom(requests, count),
});
/** The first requests of a scan that nobody has asked for, in each round another one. */
export const firstOf = (counts, library, source, picturesOf) => ({
  kind: 'once',
  counts,
  scans: [],
  take: async (count) => {
    const scan = await library.fresh(source);
    await library.rest();
    return takeFrom(
      map(picturesOf(scan.size), (picture) => pictureRequest(scan, picture)),
      count,
    );
  },
});

const inOrder = async (names, scanOf) => {
  const scans = [];
  for (const name of names) scans.push(await scanOf(name));
  return scans;
};

/** All tiles of a scan around and around. */
export const tilesAgain = (scan, others, scans) =>
  again(
    tilesOf(scan.size).map((picture) => pictureRequest(scan, picture, others)),
    scans,
  );

/** Every scan at every width around the nominal one. */
export function* wholesOf(scans, width) {
  for (const picture of wholesAround(width)) for (const scan of scans) yield pictureRequest(scan, picture);
}

/** Renderings of several equal photographs at widths around the nominal one. */
export async function photos(library, width, counts) {
  const scans = await inOrder(Array(photoCopies).fill('photo.jpg'), library.fresh);
  return once(counts, wholesOf(scans, width), scans);
}

/** The fifty smaller scans. */
export const smallScans = (library) => inOrder(sourceNames.small, library.scan);
