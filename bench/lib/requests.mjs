/** What is asked for: parts of scans at a size, as addresses of each server and as the sharp call that makes the same. */
import { randomIntegers, shuffled } from '../../test/fixtures/files/random.mjs';

const tile = 512;

/** The tiles of one reduction, as viewers ask for them (IIIF Image API 2.1, implementation notes on tiles). */
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

/** Every tile of an image, all levels mixed. */
export function tilesOf(size) {
  const found = [];
  for (let factor = 1; ; factor *= 2) {
    found.push(...tilesAt(size, factor));
    if (size.width <= tile * factor && size.height <= tile * factor) return shuffled(found);
  }
}

/** Endless parts of an image from 600 to 4000 pixels wide that meet no tile’s edge, at 600 x 450. */
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

/** The whole image at widths around the nominal one, the closest first; all have a height without rounding at 3:2. */
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

/** The smallest level that is not smaller than what is needed, as its place in the file and its reduction; the last is one tile. */
function levelFor({ size, levels }, { region, width }) {
  const needed = (region ?? size).width / width;
  const last = Math.max(0, Math.ceil(Math.log2(Math.max(size.width, size.height) / tile)));
  const page = levels ? Math.min(last, Math.max(0, Math.floor(Math.log2(needed) + 1e-9))) : 0;
  return { page, factor: 2 ** page };
}

/** The part of the level that is read; a level’s size is rounded down by its writer, a viewer’s tiles round up. */
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
    // A region that is the whole would keep libvips from shrinking while it loads.
    ...(picture.region ? { part: partOf(scan, picture.region, factor) } : {}),
    width: picture.width,
    height: picture.height,
  };
}

/** A picture of a scan for all sides. iipsrv and sharp may be given another scan, of the same picture. */
export const pictureRequest = (scan, picture, { iipsrv = scan, bare = scan } = {}) => ({
  lectern: `/iiif/2/${scan.name}/${iiifPath(picture)}`,
  iipsrv: `/iiif/${iipsrv.name}/${iiifPath(picture)}`,
  sharp: sharpCall(bare, picture),
});

/** The image information document. */
export const infoRequest = (scan) => ({
  lectern: `/iiif/2/${scan.name}/info.json`,
  iipsrv: `/iiif/${scan.name}/info.json`,
  size: scan.size,
});

/** The info object, of no image where there is no scan. */
export const infoObjectRequest = (query, scan) => ({
  lectern: `/api/dlInfo-json.jsp${query}`,
  width: scan?.size.width ?? 0,
});
