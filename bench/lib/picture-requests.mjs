/** The pictures that are asked for, each with the sharp call that makes the same one. */
import { sourceCount, sourceName, sourcePath, sourceSize } from './sources.mjs';

const iiifPath = (name, width) => `/iiif/3/${name}/full/${width},/0/default.jpg`;

/**
 * What is measured; the kernels are those that Lectern uses in the two dialects. IIIF sizes
 * that are those of a tiling are rows of their own, see `reachesBeyond`.
 */
export const pictures = [
  {
    name: 'thumbnail 200 px, Scaler',
    width: 200,
    kernel: 'cubic',
    pathOf: (name, width) => `/Scaler?fn=${name}&dw=${width}`,
  },
  {
    name: 'thumbnail 200 px, IIIF',
    width: 200,
    kernel: 'lanczos3',
    tiling: 'inside',
    pathOf: iiifPath,
  },
  {
    name: 'the same, past the edge',
    width: 200,
    kernel: 'lanczos3',
    tiling: 'beyond',
    pathOf: iiifPath,
  },
  {
    name: '1000 px, Scaler',
    width: 1000,
    kernel: 'cubic',
    pathOf: (name, width) => `/Scaler?fn=${name}&dw=${width}`,
  },
];

/** Widths at which rounding the height up, down or to the nearest would differ are left out. */
function heightOf(width) {
  const exact = (width * sourceSize.height) / sourceSize.width;
  return exact - Math.floor(exact) < 0.5 ? Math.floor(exact) : undefined;
}

/**
 * Whether the size is the one that a whole reduction gives, rounded up: Lectern then takes the last column or row to
 * reach beyond the image, as that of a tile at the edge does, which is other work than plain scaling.
 */
function reachesBeyond(width, height) {
  const least = Math.max(sourceSize.width / width, sourceSize.height / height);
  return [2 ** Math.ceil(Math.log2(least)), Math.ceil(least)].some((factor) => {
    const fits = Math.ceil(sourceSize.width / factor) === width && Math.ceil(sourceSize.height / factor) === height;
    return fits && (width * factor > sourceSize.width || height * factor > sourceSize.height);
  });
}

/** Widths around the nominal one, the closest first. */
function* widthsAround(nominal) {
  for (let distance = 0; distance < nominal / 2; distance++) {
    yield nominal + distance;
    if (distance > 0) yield nominal - distance;
  }
}

/**
 * Endlessly different requests for nearly the same picture. No address comes twice in a run, so that each picture is
 * really rendered, whatever the server keeps.
 */
export function* requestsFor({ width: nominal, kernel, tiling, pathOf }) {
  for (const width of widthsAround(nominal)) {
    const height = heightOf(width);
    if (height === undefined) continue;
    if (tiling !== undefined && reachesBeyond(width, height) !== (tiling === 'beyond')) continue;
    for (let index = 0; index < sourceCount; index++) {
      const call = { path: sourcePath(index), width, height, kernel };
      yield { path: pathOf(sourceName(index), width), call };
    }
  }
  throw new RangeError('There are no further addresses for this picture.');
}

/** The next `count` requests. */
export const take = (requests, count) => Array.from({ length: count }, () => requests.next().value);
