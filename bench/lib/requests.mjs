/** The requests: regions of scans at a size, as addresses for each server and as the equivalent sharp call. */
import { randomIntegers, shuffled } from '../../test/fixtures/files/random.mjs';

const tile = 512;

/** The tiles at one scale factor, as viewers request them (IIIF Image API 2.1, implementation notes on tiles). */
function tilesAt({ width, height }, factor) {
  const step = tile * factor;
  const found = [];
  for (let y = 0; y < height; y += step) {
    for (let x = 0; x < width; x += step) {
      const region = { x, y, width: Math.min(step, width - x), height: Math.min(step, height - y) };
      found.push({ region, width: Math.ceil(region.width / factor), height: Math.ceil(region.height / factor) });
    }
  }
  return found;
}

/** Every tile of an image, in a random order of all levels. */
export function tilesOf(size) {
  const found = [];
  for (let factor = 1; ; factor *= 2) {
    found.push(...tilesAt(size, factor));
    if (size.width <= tile * factor && size.height <= tile * factor) return shuffled(found);
  }
}

/** An endless sequence of regions, 600 to 4000 pixels wide and not aligned to tiles, at 600 x 450. */
export function* regionsOf(size, seed = 5) {
  const random = randomIntegers(seed);
  for (;;) {
    const quarter = 150 + (random() % 850);
    const region = { width: quarter * 4, height: quarter * 3 };
    const x = random() % (size.width - region.width);
    const y = random() % (size.height - region.height);
    yield { region: { x, y, ...region }, width: 600, height: 450 };
  }
}

/** The whole image at widths around the nominal one, the closest first; at 3:2 all heights are integers. */
export function* wholesAround(nominal) {
  const first = Math.round(nominal / 3) * 3;
  for (let distance = 0; distance < nominal / 4; distance += 3) {
    for (const width of distance === 0 ? [first] : [first + distance, first - distance]) {
      yield { width, height: (width * 2) / 3 };
    }
  }
}

function iiifPath({ region, width }) {
  const part = region ? `${region.x},${region.y},${region.width},${region.height}` : 'full';
  return `${part}/${width},/0/default.jpg`;
}

/** The smallest level that suffices, as its directory in the file and its scale factor; the last one is a single tile. */
function levelFor({ size, levels }, { region, width }) {
  const needed = (region ?? size).width / width;
  const last = Math.max(0, Math.ceil(Math.log2(Math.max(size.width, size.height) / tile)));
  const page = levels ? Math.min(last, Math.max(0, Math.floor(Math.log2(needed) + 1e-9))) : 0;
  return { page, factor: 2 ** page };
}

/** The rectangle of the level that is read; writers round the size of a level down, viewers round that of tiles up. */
function partOf({ size }, region, factor) {
  const left = Math.floor(region.x / factor);
  const top = Math.floor(region.y / factor);
  return {
    left,
    top,
    width: Math.min(Math.ceil(region.width / factor), Math.floor(size.width / factor) - left),
    height: Math.min(Math.ceil(region.height / factor), Math.floor(size.height / factor) - top),
  };
}

function sharpCall(scan, picture) {
  const { page, factor } = levelFor(scan, picture);
  return {
    file: scan.file,
    page,
    // Without a region libvips can shrink on load.
    ...(picture.region ? { part: partOf(scan, picture.region, factor) } : {}),
    width: picture.width,
    height: picture.height,
  };
}

/** The levels of JPEG 2000 are those of a pyramid, without files’ directories. */
const openJpegCall = (scan, picture) => ({
  file: scan.file,
  part: picture.region,
  reduction: levelFor(scan, picture).page,
  width: picture.width,
  height: picture.height,
});

/** A request for all systems. iipsrv and sharp can be given another scan of the same picture. */
export const pictureRequest = (scan, picture, { iipsrv = scan, bare = scan } = {}) => ({
  lectern: `/iiif/2/${scan.name}/${iiifPath(picture)}`,
  iipsrv: `/iiif/${iipsrv.name}/${iiifPath(picture)}`,
  sharp: sharpCall(bare, picture),
  openJpeg: openJpegCall(scan, picture),
});

/** The image information document. */
export const infoRequest = (scan) => ({
  lectern: `/iiif/2/${scan.name}/info.json`,
  iipsrv: `/iiif/${scan.name}/info.json`,
  size: scan.size,
});

/** The info object, without an image if there is no scan. */
export const infoObjectRequest = (query, scan) => ({
  lectern: `/api/dlInfo-json.jsp${query}`,
  width: scan?.size.width ?? 0,
});
