/** Random requests for pictures of an image (./covered-images.ts) in both dialects, with all that they can ask for. */
import type { ImageRequest } from '../../src/core/image/model/image-request.ts';
import { parseQuery } from '../../src/features/digilib/parameters.ts';
import { toImageRequest } from '../../src/features/digilib/scaler-request.ts';
import { parseImagePath } from '../../src/features/iiif-image/image-path.ts';
import { size } from './covered-images.ts';

export interface Asked {
  readonly text: string;
  /** The address of the picture of an image. */
  addressOf(name: string): string;
  readonly request: ImageRequest;
  /** Whether colors stay as they are, so that what is secret would be seen in its own. */
  readonly plain: boolean;
}

export function iiif(address: string, version: 2 | 3 = 3): Asked {
  const [region = '', wanted = '', rotation = '', qualityAndFormat = ''] = address.split('/');
  const request = parseImagePath({ region, size: wanted, rotation, qualityAndFormat }, version);
  return {
    text: `iiif/${version}/${address}`,
    addressOf: (name) => `/iiif/${version}/${encodeURIComponent(name)}/${address}`,
    request,
    plain: /^(default|color)/.test(qualityAndFormat),
  };
}

export function scaler(query: string): Asked {
  return {
    text: `Scaler?${query}`,
    addressOf: (name) => `/Scaler?fn=${encodeURIComponent(name)}&${query}`,
    request: toImageRequest(parseQuery(query)),
    plain: !/colop|cont|brgt|rgb/.test(query),
  };
}

type Random = () => number;
const integer = (random: Random, from: number, to: number): number => from + Math.floor(random() * (to - from + 1));
const oneOf = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

function randomIiif(random: Random): Asked {
  const [x, y] = [integer(random, 0, size.width - 2), integer(random, 0, size.height - 2)];
  const [w, h] = [integer(random, 1, size.width - x), integer(random, 1, size.height - y)];
  const percent = () => (random() * 60).toFixed(2);
  const [tile, factor] = [oneOf(random, [128, 256]), oneOf(random, [1, 2, 4])];
  const [column, row] = [integer(random, 0, 2), integer(random, 0, 1)];
  const side = tile * factor;
  const regions = [
    ['full', `${integer(random, 1, 700)},`],
    ['full', 'max'],
    ['square', `${integer(random, 1, 400)},`],
    [`${x},${y},${w},${h}`, `^${integer(random, 1, 500)},${integer(random, 1, 500)}`],
    [`${x},${y},${w},${h}`, `!${integer(random, 1, 400)},${integer(random, 1, 400)}`],
    [`${x},${y},${Math.min(w, 60)},${Math.min(h, 60)}`, `^${integer(random, 100, 400)},`],
    [`pct:${percent()},${percent()},${percent()},${percent()}`, `pct:${integer(random, 5, 100)}`],
    [`${column * side},${row * side},${side},${side}`, `^${tile},`],
  ] as const;
  const [region, wanted] = oneOf(random, regions);
  const rotation = oneOf(random, ['0', '0', '90', '180', '270', '!0', '!90', '33', '!212.5', '1']);
  const quality = oneOf(random, ['default', 'default', 'color', 'gray', 'bitonal']);
  const format = oneOf(random, ['jpg', 'jpg', 'png', 'png', 'webp', 'tif', 'gif', 'avif']);
  const version = wanted.startsWith('^') || region === 'square' ? 3 : oneOf(random, [2, 3] as const);
  return iiif(`${region}/${wanted}/${rotation}/${quality}.${format}`, version);
}

function randomScaler(random: Random): Asked {
  const parts: string[] = [];
  const options: string[] = [];
  const maybe = (chance: number): boolean => random() < chance;
  const fraction = (most: number): string => (random() * most).toFixed(4);
  if (maybe(0.6)) parts.push(`wx=${fraction(0.9)}`, `wy=${fraction(0.9)}`, `ww=${fraction(1)}`, `wh=${fraction(1)}`);
  if (maybe(0.9)) parts.push(`dw=${integer(random, 1, 900)}`);
  if (maybe(0.6)) parts.push(`dh=${integer(random, 1, 700)}`);
  if (maybe(0.3)) parts.push(`rot=${oneOf(random, [90, 180, 270, 45, 13.7])}`);
  if (maybe(0.2)) parts.push(`brgt=${integer(random, -100, 200)}`);
  if (maybe(0.2)) parts.push(`cont=${integer(random, -2, 4)}`);
  if (maybe(0.15)) parts.push(`rgbm=${fraction(2)}/${fraction(2)}/0`, 'rgba=90/0/-60');
  if (maybe(0.3)) parts.push(`colop=${oneOf(random, ['invert', 'grayscale', 'bitonal', 'map_gray_bgr', 'ntsc_gray'])}`);
  if (maybe(0.1)) parts.push('ws=0.5');
  options.push(oneOf(random, ['fit', 'fit', 'squeeze', 'fill', 'crop', 'clip', 'osize', 'ascale']));
  options.push(oneOf(random, ['q0', 'q1', 'q2', 'q3']), oneOf(random, ['jpg', 'png', 'png', 'webp']));
  if (maybe(0.2)) options.push('hmir');
  if (maybe(0.2)) options.push('vmir');
  if (maybe(0.3)) options.push(oneOf(random, ['hires', 'lores', 'autores']));
  if (maybe(0.1)) options.push('sqarea');
  if (options.includes('ascale')) parts.push(`scale=${fraction(0.8)}`);
  return scaler([...parts, `mo=${options.join(',')}`].join('&'));
}

export const randomRequest = (random: Random): Asked => (random() < 0.5 ? randomIiif(random) : randomScaler(random));
