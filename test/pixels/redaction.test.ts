/** Redactions: no picture has a pixel of what is below, whatever is asked for and however the image is stored. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { tieredImage } from '../../src/core/access/tiered-image.ts';
import { ImageError } from '../../src/core/image/model/errors.ts';
import { intersect, isTransposed, type Rect } from '../../src/core/image/model/geometry.ts';
import { type Admitted, highest, type ImageSet, type Resolution } from '../../src/core/image/model/image-set.ts';
import type { Terms } from '../../src/core/image/model/tier.ts';
import { pyramidTile } from '../../src/core/image/plan/slow-sources.ts';
import { createFileProbe } from '../../src/core/library/file-facts.ts';
import { makePyramid } from '../../src/core/pyramids/make.ts';
import { randomNumbers } from '../fixtures/files/random.mjs';
import { runsOf } from '../sweep.ts';
import {
  createAnswers,
  fileNameOf,
  redactions,
  type SourceName,
  secretsIn,
  size,
  sourceNames,
  sources,
  type Version,
  writeSources,
} from './covered-images.ts';
import { decode, type Picture, temporaryFolder } from './pictures.ts';
import { type Asked, iiif, randomRequest, scaler } from './random-requests.ts';

const folder = temporaryFolder();
const covers = { redactions, key: 'k1' };
const versions = ['secret', 'blank'] as const;

/** The image as callers of a tier of so many pixels see it. */
const tierOf = (image: Admitted<ImageSet>, maxSide: number): Admitted<ImageSet> => {
  const tier = { name: 'small', maxSide, originals: false, documents: false, texts: false };
  const terms: Terms = { tier, denial: 'login-needed', isNamed: false, isForAll: false };
  return tieredImage(image, terms);
};

const pyramids = new Map<string, Resolution>();

/** How an image is seen beside its redactions. */
const views = {
  whole: (image: Admitted<ImageSet>) => image,
  'with prescaled versions': (image: Admitted<ImageSet>) => image,
  'a tier': (image: Admitted<ImageSet>) => tierOf(image, 417),
  'with a derived pyramid': (image: Admitted<ImageSet>) => {
    const derived = pyramids.get(highest(image).file.path);
    return derived ? { ...image, derived } : image;
  },
  'a tier of a derived pyramid': (image: Admitted<ImageSet>) => {
    const derived = pyramids.get(highest(image).file.path);
    return tierOf(derived ? { ...image, derived } : image, 401);
  },
} as const;

type View = keyof typeof views;

const prescaledOf = (version: Version): string => path.join(folder, `${version}-prescaled`);

/** A version of half the size, by the kernel that reaches farthest. */
async function makePrescaled(version: Version, name: SourceName): Promise<void> {
  const file = path.join(folder, version, fileNameOf(name));
  const half = sharp(file).resize(402, 306, { fit: 'fill', kernel: 'lanczos3' });
  mkdirSync(prescaledOf(version), { recursive: true });
  await half.toFile(path.join(prescaledOf(version), fileNameOf(name)));
}

const answersOf = (version: Version, view: View) =>
  createAnswers(
    [path.join(folder, version), ...(view === 'with prescaled versions' ? [prescaledOf(version)] : [])],
    (image) => ({ ...views[view](image), covers }),
  );

type Answers = ReturnType<typeof answersOf>;

let answers: Readonly<Record<View, Readonly<Record<Version, Answers>>>>;

async function makeDerived(file: string): Promise<void> {
  const [found] = await createFileProbe()(file);
  if (found === undefined) throw new Error(`${file} can’t be read`);
  const { width, height } = found.levels[0];
  const upright = isTransposed(found.orientation) ? { width: height, height: width } : { width, height };
  const source = { ...found, ...upright };
  const target = `${file}.pyramid`;
  await makePyramid({ source, target, tile: pyramidTile(source), quality: 85 }, 2 ** 30);
  const [derived] = await createFileProbe()(target);
  if (derived === undefined) throw new Error('the pyramid can’t be read');
  pyramids.set(file, derived);
}

beforeAll(async () => {
  const folders = await writeSources(folder);
  for (const version of versions) {
    for (const name of ['JPEG', 'turned JPEG', 'PNG', 'TIFF of 16 bits, gray'] as const) {
      await makeDerived(path.join(folders[version], fileNameOf(name)));
    }
    for (const name of ['JPEG', 'PNG', 'PNG with alpha'] as const) await makePrescaled(version, name);
  }
  const of = (view: View) => ({ secret: answersOf('secret', view), blank: answersOf('blank', view) });
  answers = {
    whole: of('whole'),
    'with prescaled versions': of('with prescaled versions'),
    'a tier': of('a tier'),
    'with a derived pyramid': of('with a derived pyramid'),
    'a tier of a derived pyramid': of('a tier of a derived pyramid'),
  };
}, 120_000);

/** Undefined for requests that the image can’t answer. */
async function pictureOf(of: Answers, name: SourceName, asked: Asked) {
  try {
    const { plan, bytes } = await of.answer(fileNameOf(name), asked.request);
    return { plan, picture: await decode(bytes) };
  } catch (error) {
    if (error instanceof ImageError && ['bad-request', 'too-large'].includes(error.code)) return undefined;
    throw error;
  }
}

function greatestDifference(one: Picture, other: Picture): number {
  expect(other.pixels.length).toBe(one.pixels.length);
  let most = 0;
  for (let at = 0; at < one.pixels.length; at++)
    most = Math.max(most, Math.abs((one.pixels[at] ?? 0) - (other.pixels[at] ?? 0)));
  return most;
}

/** The pixels of a GIF before its palette is made, which differs now and then for the same pixels on a busy machine. */
const beforePalette = (asked: Asked): Asked =>
  asked.request.format === 'gif' ? { ...asked, request: { ...asked.request, format: 'png' } } : asked;

/** Requests a picture of both versions: no magenta in it, and where pixels around redactions are the same, all of it is. */
async function expectNothingBelow(view: View, name: SourceName, asked: Asked): Promise<'answered' | 'refused'> {
  const [secret, blank] = await Promise.all(
    versions.map((version) => pictureOf(answers[view][version], name, beforePalette(asked))),
  );
  expect(secret === undefined).toBe(blank === undefined);
  if (secret === undefined || blank === undefined) return 'refused';
  const words = `${name}, ${view}: ${asked.text}`;
  if (asked.plain && sources[name].colored) expect(secretsIn(secret.picture), words).toBe(0);
  const isExact = sources[name].exact && !secret.plan.file.path.endsWith('.pyramid');
  if (isExact) expect(greatestDifference(secret.picture, blank.picture), words).toBe(0);
  return 'answered';
}

describe('no picture has a pixel of what is below a redaction', () => {
  test.each(Object.keys(views) as View[])('%s', { tags: 'sampled', timeout: 600_000 }, async (view) => {
    const random = randomNumbers(view.length);
    const runs = runsOf(500);
    const counts = { answered: 0, refused: 0 };
    for (let run = 0; run < runs; run++) {
      const name = sourceNames[run % sourceNames.length] as SourceName;
      counts[await expectNothingBelow(view, name, randomRequest(random))]++;
    }
    expect(counts.answered).toBeGreaterThan(runs / 2);
  });

  test.each(sourceNames)('of %s: whole and parts at the sizes that viewers ask for', async (name) => {
    for (const wanted of ['max', '301,', '150,', '75,', '40,']) {
      await expectNothingBelow('whole', name, iiif(`full/${wanted}/0/default.png`));
    }
    for (let x = 0; x < size.width; x += 256) {
      await expectNothingBelow('whole', name, iiif(`${x},0,256,256/max/0/default.jpg`));
      await expectNothingBelow('whole', name, iiif(`${x},0,512,512/^256,/0/default.png`));
    }
  });
});

/** Those pixels of a picture that lie in a redaction as a whole. */
const insideOf = (redaction: Rect, scale: number): Rect => {
  const [x, y] = [Math.ceil(redaction.x * scale), Math.ceil(redaction.y * scale)];
  return {
    x,
    y,
    width: Math.floor((redaction.x + redaction.width) * scale) - x,
    height: Math.floor((redaction.y + redaction.height) * scale) - y,
  };
};

/** The brightest sample of the pixels of a rectangle, and the least alpha. */
function extremesIn({ pixels, width, height }: Picture, rect: Rect): { brightest: number; alpha: number } {
  const visible = intersect(rect, { width, height });
  let [brightest, alpha] = [0, 255];
  for (let at = 0; visible && at < visible.width * visible.height; at++) {
    const pixel = (visible.y + Math.floor(at / visible.width)) * width + visible.x + (at % visible.width);
    brightest = Math.max(brightest, ...pixels.subarray(pixel * 4, pixel * 4 + 3));
    alpha = Math.min(alpha, pixels[pixel * 4 + 3] ?? 0);
  }
  return { brightest, alpha };
}

describe('what is redacted is black', () => {
  test.each(sourceNames)('of %s, at every size and whatever is done to its colors', async (name) => {
    for (const [dw, operation] of [
      [803, ''],
      [803, '&colop=invert'],
      [400, '&brgt=120'],
      [313, '&colop=invert'],
      [80, '&colop=map_gray_bgr'],
    ] as const) {
      const found = await pictureOf(answers.whole.secret, name, scaler(`dw=${dw}&mo=png${operation}`));
      for (const redaction of redactions) {
        const inside = insideOf(redaction, dw / size.width);
        expect(found && extremesIn(found.picture, inside), `${dw}${operation}`).toEqual({ brightest: 0, alpha: 255 });
      }
    }
  });

  it('turned by an odd angle, too', async () => {
    const found = await pictureOf(answers.whole.secret, 'PNG', scaler('dw=600&dh=600&rot=30&colop=invert&mo=png'));
    if (found === undefined) throw new Error('no picture');
    const [sin, cos] = [Math.sin(Math.PI / 6), Math.cos(Math.PI / 6)];
    const [w, h] = [600, (600 * size.height) / size.width];
    const scale = 600 / size.width;
    // The middles of the first two redactions, and the pixels just within their corners.
    const inner = 1 / scale;
    const points = redactions
      .slice(0, 2)
      .flatMap(({ x, y, width, height }) => [
        [x + width / 2, y + height / 2],
        ...[x + inner, x + width - inner].flatMap((left) => [y + inner, y + height - inner].map((top) => [left, top])),
      ]);
    for (const [x = 0, y = 0] of points) {
      const [right, down] = [x * scale - w / 2, y * scale - h / 2];
      const column = right * cos - down * sin + found.picture.width / 2;
      const row = right * sin + down * cos + found.picture.height / 2;
      const color = found.picture.at(column / found.picture.width, row / found.picture.height);
      expect([x, y, color]).toEqual([x, y, [0, 0, 0, 255]]);
    }
  });

  test.each([
    // What blocks, levels, averages and kernels can reach, which is nothing where a file without loss is shown as it is.
    ['PNG', 803, 0, 0],
    ['PNG', 401, 4, 1],
    ['PNG', 150, 4, 6],
    ['deflate pyramid', 803, 18, 0],
    ['deflate pyramid', 401, 12, 0],
    ['deflate pyramid', 150, 11, 2],
    ['JPEG', 803, 18, 0],
    ['JPEG', 150, 4, 12],
    ['JPEG pyramid', 401, 12, 0],
  ] as const)('and everything else of a %s at the width %d is as it was', async (name, dw, reach, tolerance) => {
    const plain = createAnswers([path.join(folder, 'secret')], (image) => image);
    const asked = scaler(`dw=${dw}&mo=png,q3`);
    const [own, other] = await Promise.all([answers.whole.secret, plain].map((of) => pictureOf(of, name, asked)));
    if (own === undefined || other === undefined) throw new Error('no picture');
    const scale = dw / size.width;
    const isNear = (x: number, y: number): boolean =>
      redactions.some(
        (one) =>
          x + 1 > one.x * scale - reach &&
          x < (one.x + one.width) * scale + reach &&
          y + 1 > one.y * scale - reach &&
          y < (one.y + one.height) * scale + reach,
      );
    let most = 0;
    for (let at = 0; at < own.picture.pixels.length; at++) {
      const pixel = Math.floor(at / 4);
      if (isNear(pixel % own.picture.width, Math.floor(pixel / own.picture.width))) continue;
      most = Math.max(most, Math.abs((own.picture.pixels[at] ?? 0) - (other.picture.pixels[at] ?? 0)));
    }
    expect(most).toBeLessThanOrEqual(tolerance);
  });
});
