/** The rows: each with its workload, the peers, and the target ratios. */

import { infoObjectRequest, infoRequest, pictureRequest, regionsOf, tilesOf } from './requests.mjs';
import { sourceNames } from './sources.mjs';
import {
  eachOfNew,
  firstRequests,
  map,
  photos,
  plainScans,
  repeated,
  repeatedTiles,
  smallScans,
  takeFrom,
  unique,
  wholesOf,
} from './workload.mjs';

/** How many regions are requested again and again. */
const repeatedRegions = 100;

const hotTile = { region: { x: 4096, y: 3072, width: 512, height: 512 }, width: 512, height: 512 };

/** JPEG 2000 scans, and the pyramid of the same pixels, which sharp reads for the check of their pictures. */
const jpeg2000Sources = (source) => [source, 'pyramid.tif'];
const asPyramid = async (library) => ({ bare: await library.scan('pyramid.tif') });

/** A row of new pictures of a scan; `work` gets the library, the scan's name, and its pyramid. */
const jpeg2000Row = ({ name, what, source, work }) => ({
  name,
  what,
  sources: jpeg2000Sources(source),
  targets: { iipsrv: 1, 'bare OpenJPEG': undefined },
  work: async (library) => work(library, source, await asPyramid(library)),
});

const firstJpeg2000 = (counts, picturesOf) => (library, source, pyramid) =>
  firstRequests(counts, library, source, picturesOf, pyramid);

const jpeg2000Thumbnails = (library, source, pyramid) =>
  eachOfNew({ 1: 6, 8: 24 }, library, source, { width: 200, height: 160 }, pyramid);

/**
 * In the order of measurement; rows whose scans have pyramids made in the background are last: these are made beside them, and beside no other row.
 */
export const rows = [
  {
    name: 'tiles-cold',
    what: '512 tiles at all levels of a pyramid TIFF, cold',
    sources: ['pyramid.tif'],
    targets: { iipsrv: 2.5, 'bare sharp': undefined, 'iipsrv 1.3': 1 },
    work: (library) => firstRequests({ 1: 100, 8: 429 }, library, 'pyramid.tif', tilesOf),
  },
  {
    name: 'tiles-256-cold',
    what: '512 tiles at all levels of a pyramid TIFF in tiles of 256, cold',
    sources: ['pyramid-256.tif'],
    targets: { iipsrv: undefined, 'bare sharp': undefined, 'iipsrv 1.3': 1 },
    work: (library) => firstRequests({ 1: 100, 8: 429 }, library, 'pyramid-256.tif', tilesOf),
  },
  {
    name: 'deflate-cold',
    what: '512 tiles at all levels of a Deflate pyramid TIFF, cold',
    sources: ['deflate.tif'],
    targets: { iipsrv: undefined, 'bare sharp': undefined, 'iipsrv 1.3': 1 },
    work: (library) => firstRequests({ 1: 100, 8: 429 }, library, 'deflate.tif', tilesOf),
  },
  {
    name: 'tiles-warm',
    what: 'the same tiles, warm',
    sources: ['pyramid.tif'],
    targets: { iipsrv: 10, nginx: 0.3, 'iipsrv 1.3': undefined },
    work: async (library) => repeatedTiles(await library.scan('pyramid.tif')),
  },
  {
    name: 'hot-tile',
    what: 'one hot tile',
    sources: ['pyramid.tif'],
    targets: { iipsrv: 15, nginx: 0.3, 'iipsrv 1.3': undefined },
    work: async (library) => repeated([pictureRequest(await library.scan('pyramid.tif'), hotTile)]),
  },
  {
    name: 'regions',
    what: 'unaligned regions to 600 px of a pyramid TIFF',
    sources: ['pyramid.tif'],
    targets: { iipsrv: 1, 'bare sharp': 0.85, 'iipsrv 1.3': 1 },
    work: async (library) => {
      const scan = await library.scan('pyramid.tif');
      return unique(
        { 1: 24, 8: 60 },
        map(regionsOf(scan.size), (picture) => pictureRequest(scan, picture)),
      );
    },
  },
  {
    name: 'thumbnails-cold',
    what: 'thumbnails of pyramid TIFFs, cold',
    sources: sourceNames.small,
    targets: { 'bare sharp': 0.85, iipsrv: undefined, 'iipsrv 1.3': 1 },
    work: async (library) => unique({ 1: 50, 8: 150 }, wholesOf(await smallScans(library), 200)),
  },
  {
    name: 'thumbnails-warm',
    what: 'thumbnails of pyramid TIFFs, warm',
    sources: sourceNames.small,
    targets: { iipsrv: 10, nginx: undefined, 'iipsrv 1.3': undefined },
    work: async (library) =>
      repeated((await smallScans(library)).map((scan) => pictureRequest(scan, { width: 201, height: 134 }))),
  },
  {
    name: 'jpeg-thumbnails-cold',
    what: 'thumbnails of plain JPEGs of 6 MP, cold',
    sources: sourceNames.plain,
    targets: { 'bare sharp': 0.85, 'iipsrv 1.3': 1 },
    work: async (library) => unique({ 1: 25, 8: 100 }, wholesOf(await plainScans(library), 200)),
  },
  {
    name: 'jpeg24-200-cold',
    what: '200 px of a 24 MP JPEG, cold',
    sources: ['photo.jpg'],
    targets: { 'bare sharp': 0.85, 'iipsrv 1.3': 1 },
    work: (library) => photos(library, 200, { 1: 6, 8: 24 }),
  },
  {
    name: 'jpeg24-1000-cold',
    what: '1000 px of a 24 MP JPEG, cold',
    sources: ['photo.jpg'],
    targets: { 'bare sharp': 0.85, 'iipsrv 1.3': 1 },
    work: (library) => photos(library, 1000, { 1: 5, 8: 20 }),
  },
  {
    name: 'info-json',
    what: 'info.json of 50 images',
    sources: sourceNames.small,
    targets: { iipsrv: 2, nginx: undefined, 'iipsrv 1.3': undefined },
    work: async (library) => repeated((await smallScans(library)).map(infoRequest)),
  },
  {
    name: 'info-object',
    what: 'dlInfo-json.jsp',
    sources: [],
    targets: { 'bare node:http': 0.7 },
    work: async () => repeated([infoObjectRequest('')]),
  },
  {
    name: 'info-object-parameters',
    what: 'dlInfo-json.jsp with three parameters',
    sources: [],
    targets: { 'bare node:http': 0.7 },
    work: async () => repeated([infoObjectRequest('?dw=400&dh=300&mo=fit')]),
  },
  {
    name: 'info-object-image',
    what: 'dlInfo-json.jsp of an image',
    sources: ['photo.jpg'],
    targets: { 'bare node:http': 0.7 },
    work: async (library) =>
      repeated([infoObjectRequest('?fn=photo&dw=400&dh=300&mo=fit', await library.scan('photo.jpg'))]),
  },
  {
    name: 'adobe-tiles-derived',
    what: 'tiles of an Adobe RGB pyramid, after its derived pyramid',
    sources: ['adobe.tif'],
    targets: { iipsrv: 10, nginx: 0.3 },
    derived: true,
    work: async (library) => {
      const scan = await library.fresh('adobe.tif');
      return repeatedTiles(scan, {}, [scan]);
    },
  },
  {
    name: 'jpeg24-200-derived',
    what: '200 px of a 24 MP JPEG, after its derived pyramid',
    sources: ['photo.jpg'],
    targets: { 'bare sharp': 5 },
    derived: true,
    work: (library) => photos(library, 200, { 1: 6, 8: 24 }),
  },
  {
    name: 'jpeg24-1000-derived',
    what: '1000 px of a 24 MP JPEG, after its derived pyramid',
    sources: ['photo.jpg'],
    targets: { 'bare sharp': 5 },
    derived: true,
    work: (library) => photos(library, 1000, { 1: 5, 8: 20 }),
  },
  {
    name: 'jpeg80-tiles-derived',
    what: 'tiles of an 80 MP JPEG, after its derived pyramid',
    sources: ['large.jpg', 'pyramid.tif'],
    targets: { iipsrv: 10, nginx: 0.3 },
    derived: true,
    work: async (library) => {
      const [scan, pyramid] = [await library.fresh('large.jpg'), await library.scan('pyramid.tif')];
      return repeatedTiles(scan, { iipsrv: pyramid }, [scan]);
    },
  },
  {
    name: 'jpeg80-regions-derived',
    what: 'regions of an 80 MP JPEG, after its derived pyramid',
    sources: ['large.jpg', 'pyramid.tif'],
    targets: { iipsrv: 1, 'bare sharp': 0.85, 'iipsrv 1.3': 1 },
    derived: true,
    work: async (library) => {
      const [scan, pyramid] = [await library.fresh('large.jpg'), await library.scan('pyramid.tif')];
      const requests = map(regionsOf(scan.size, 6), (picture) =>
        pictureRequest(scan, picture, { iipsrv: pyramid, bare: pyramid }),
      );
      return unique({ 1: 24, 8: 60 }, requests, [scan]);
    },
  },
  {
    name: 'jp2-tiles-derived',
    what: 'tiles of an untiled JPEG 2000 scan of 80 MP, after its derived pyramid',
    sources: jpeg2000Sources('untiled.jp2'),
    targets: { iipsrv: 10, nginx: 0.3 },
    derived: true,
    work: async (library) => {
      const scan = await library.fresh('untiled.jp2');
      return repeatedTiles(scan, await asPyramid(library), [scan]);
    },
  },
  {
    name: 'jpeg80-tiles-first',
    what: 'first tiles of an 80 MP JPEG',
    sources: ['large.jpg'],
    targets: { 'bare sharp': 0.8 },
    work: (library) => firstRequests({ 1: 3, 8: 8 }, library, 'large.jpg', tilesOf),
  },
  {
    name: 'jpeg80-regions-first',
    what: 'first regions of an 80 MP JPEG',
    sources: ['large.jpg'],
    targets: { 'bare sharp': 0.8, 'iipsrv 1.3': 1 },
    work: (library) => firstRequests({ 1: 3, 8: 8 }, library, 'large.jpg', regionsOf),
  },
  jpeg2000Row({
    name: 'jp2-tiles',
    what: '512 tiles at all levels of a tiled JPEG 2000 scan of 80 MP, cold',
    source: 'tiled.jp2',
    work: firstJpeg2000({ 1: 24, 8: 64 }, tilesOf),
  }),
  jpeg2000Row({
    name: 'jp2-untiled-tiles',
    what: 'the same of one without tiles, in precincts of 256',
    source: 'untiled.jp2',
    work: firstJpeg2000({ 1: 24, 8: 64 }, tilesOf),
  }),
  jpeg2000Row({
    name: 'jp2-regions',
    what: 'unaligned regions to 600 px of a tiled JPEG 2000 scan of 80 MP',
    source: 'tiled.jp2',
    work: firstJpeg2000({ 1: 8, 8: 32 }, regionsOf),
  }),
  jpeg2000Row({
    name: 'jp2-thumbnails',
    what: '200 px of tiled JPEG 2000 scans of 80 MP, cold',
    source: 'tiled.jp2',
    work: jpeg2000Thumbnails,
  }),
  jpeg2000Row({
    name: 'jp2-untiled-thumbnails',
    what: '200 px of such scans without tiles, cold',
    source: 'untiled.jp2',
    work: jpeg2000Thumbnails,
  }),
];

/** Debian’s iipsrv reads no JPEG files. */
const uncachedJpegTargets = { 'iipsrv 1.3': 1, 'bare sharp': undefined };
const uncachedTargets = { ...uncachedJpegTargets, iipsrv: undefined };

/** The rows of a run in which no server caches pictures: the same addresses again and again, by programs that run for a while. */
export const uncachedRows = [
  {
    name: 'tiles',
    what: '512 tiles at all levels of a pyramid TIFF',
    sources: ['pyramid.tif'],
    targets: uncachedTargets,
    work: async (library) => repeatedTiles(await library.scan('pyramid.tif')),
  },
  {
    name: 'tiles-256',
    what: '512 tiles at all levels of a pyramid TIFF in tiles of 256',
    sources: ['pyramid-256.tif'],
    targets: uncachedTargets,
    work: async (library) => repeatedTiles(await library.scan('pyramid-256.tif')),
  },
  {
    name: 'deflate',
    what: '512 tiles at all levels of a Deflate pyramid TIFF',
    sources: ['deflate.tif'],
    targets: uncachedTargets,
    work: async (library) => repeatedTiles(await library.scan('deflate.tif')),
  },
  {
    name: 'hot-tile',
    what: 'one tile',
    sources: ['pyramid.tif'],
    targets: uncachedTargets,
    work: async (library) => repeated([pictureRequest(await library.scan('pyramid.tif'), hotTile)]),
  },
  {
    name: 'regions',
    what: 'unaligned regions to 600 px of a pyramid TIFF',
    sources: ['pyramid.tif'],
    targets: uncachedTargets,
    work: async (library) => {
      const scan = await library.scan('pyramid.tif');
      const requests = map(regionsOf(scan.size), (picture) => pictureRequest(scan, picture));
      return repeated(takeFrom(requests, repeatedRegions));
    },
  },
  {
    name: 'thumbnails',
    what: 'thumbnails of pyramid TIFFs',
    sources: sourceNames.small,
    targets: uncachedTargets,
    work: async (library) =>
      repeated((await smallScans(library)).map((scan) => pictureRequest(scan, { width: 201, height: 134 }))),
  },
  {
    name: 'jpeg-thumbnails',
    what: 'thumbnails of plain JPEGs of 6 MP',
    sources: sourceNames.plain,
    targets: uncachedJpegTargets,
    work: async (library) =>
      repeated((await plainScans(library)).map((scan) => pictureRequest(scan, { width: 201, height: 134 }))),
  },
  {
    name: 'jpeg24-1000',
    what: '999 px of a 24 MP JPEG',
    sources: ['photo.jpg'],
    targets: uncachedJpegTargets,
    work: async (library) => repeated([pictureRequest(await library.scan('photo.jpg'), { width: 999, height: 666 })]),
  },
  {
    name: 'jpeg24-200',
    what: '200 px of a 24 MP JPEG',
    sources: ['photo.jpg'],
    targets: uncachedJpegTargets,
    work: async (library) => repeated([pictureRequest(await library.scan('photo.jpg'), { width: 201, height: 134 })]),
  },
];
