/** The workload of a row: requests that are repeated, or unique ones. */
import { BenchFailure } from './failure.mjs';
import { pictureRequest, tilesOf, wholesAround } from './requests.mjs';
import { sourceNames } from './sources.mjs';

const photoCopies = 8;

/** The next values of an iterator. Throws where it ends before. */
export function takeFrom(iterator, count) {
  const taken = [];
  while (taken.length < count) {
    const { value, done } = iterator.next();
    if (done) throw new BenchFailure('There are no further addresses that have not been requested.');
    taken.push(value);
  }
  return taken;
}

/** Maps an iterable lazily. */
export function* map(values, change) {
  for (const value of values) yield change(value);
}

/** The same requests, repeatedly. */
export const repeated = (requests, scans = []) => ({ kind: 'repeated', requests, scans });
/** Requests that are each made once; `counts` are the numbers of requests in a round, by connections. */
export const unique = (counts, requests, scans = []) => ({
  kind: 'unique',
  counts,
  scans,
  take: async (count) => takeFrom(requests, count),
});
/** The first requests for a scan; each round takes a new copy of it. `others` are scans that other systems get instead. */
export const firstRequests = (counts, library, source, picturesOf, others) => ({
  kind: 'unique',
  counts,
  scans: [],
  take: async (count) => {
    const scan = await library.fresh(source);
    await library.waitUntilCacheable();
    return takeFrom(
      map(picturesOf(scan.size), (picture) => pictureRequest(scan, picture, others)),
      count,
    );
  },
});

/** The same picture of one new hard link of a scan after the other. */
export const eachOfNew = (counts, library, source, picture, others) => ({
  kind: 'unique',
  counts,
  scans: [],
  take: async (count) => {
    const scans = await inOrder(Array(count).fill(source), library.freshLink);
    await library.waitUntilCacheable();
    return scans.map((scan) => pictureRequest(scan, picture, others));
  },
});

const inOrder = async (names, scanOf) => {
  const scans = [];
  for (const name of names) scans.push(await scanOf(name));
  return scans;
};

/** All tiles of a scan, repeatedly. */
export const repeatedTiles = (scan, others, scans) =>
  repeated(
    tilesOf(scan.size).map((picture) => pictureRequest(scan, picture, others)),
    scans,
  );

/** Every scan at every width around the nominal one. */
export function* wholesOf(scans, width) {
  for (const picture of wholesAround(width)) for (const scan of scans) yield pictureRequest(scan, picture);
}

/** Requests for several copies of a photograph at widths around the nominal one. */
export async function photos(library, width, counts) {
  const scans = await inOrder(Array(photoCopies).fill('photo.jpg'), library.fresh);
  return unique(counts, wholesOf(scans, width), scans);
}

/** The fifty small scans, as pyramids and as plain JPEG files. */
export const smallScans = (library) => inOrder(sourceNames.small, library.scan);
export const plainScans = (library) => inOrder(sourceNames.plain, library.scan);
