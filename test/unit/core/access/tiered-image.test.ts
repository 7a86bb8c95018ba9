/** The image of a tier: its own size and resolution, and plans that read more pixels than they show. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { tieredImage } from '../../../../src/core/access/tiered-image.ts';
import { formatIdentifier, joinTier, splitTier } from '../../../../src/core/image/model/identifier.ts';
import type { ImageRequest } from '../../../../src/core/image/model/image-request.ts';
import { type Admitted, dpiOf, highest, type ImageSet, onShown } from '../../../../src/core/image/model/image-set.ts';
import { sizeInTier, type Terms, type Tier } from '../../../../src/core/image/model/tier.ts';
import { explain } from '../../../../src/core/image/plan/explanation.ts';
import { planImage } from '../../../../src/core/image/plan/plan.ts';
import type { Render } from '../../../../src/core/image/plan/plan-types.ts';
import { imageOf, jpegTiles } from '../image/image-builder.ts';

const termsOf = (tier: Partial<Tier>, isNamed = false): Terms => ({
  tier: { name: 'small', originals: false, documents: false, texts: false, ...tier },
  denial: 'login-needed',
  isNamed,
  isForAll: false,
});

const shownOf = (image: ImageSet, tier: Partial<Tier>): Admitted<ImageSet> =>
  tieredImage(image, termsOf(tier)) as Admitted<ImageSet>;

describe('the size in a tier', () => {
  test.each([
    [{ width: 4000, height: 3000 }, { maxSide: 1000 }, { width: 1000, height: 750 }],
    [{ width: 3000, height: 4000 }, { maxSide: 1000 }, { width: 750, height: 1000 }],
    [{ width: 4000, height: 3 }, { maxSide: 1000 }, { width: 1000, height: 1 }],
    [{ width: 4000, height: 3000 }, { maxPixels: 120_000 }, { width: 400, height: 300 }],
    [
      { width: 4000, height: 3000 },
      { maxSide: 1000, maxPixels: 120_000 },
      { width: 400, height: 300 },
    ],
    [{ width: 1000, height: 750 }, { maxSide: 1000 }, undefined],
    [{ width: 4000, height: 3000 }, {}, undefined],
  ])('of %j with %j is %j', (size, tier, expected) => {
    expect(sizeInTier(size, termsOf(tier).tier)).toEqual(expected);
  });

  it('is always within the limits', () => {
    const side = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(side, side, side, side, (width, height, maxSide, maxPixels) => {
        const size = sizeInTier({ width, height }, termsOf({ maxSide, maxPixels }).tier) ?? { width, height };
        const thin = size.width === 1 || size.height === 1;
        return Math.max(size.width, size.height) <= maxSide && (thin || size.width * size.height <= maxPixels);
      }),
    );
  });
});

describe('the image in a tier', () => {
  const scan = imageOf(
    { width: 4000, height: 3000, dpi: { x: 400, y: 400 } },
    { width: 2000, height: 1500 },
    { width: 800, height: 600 },
  );

  it('has its own size, resolution, identifier, and those prescaled versions alone that are not larger', () => {
    const image = shownOf(scan, { maxSide: 1000 });
    expect(formatIdentifier(image.identifier)).toBe('book/image;tier=small');
    expect(image.resolutions.map(({ width, height }) => [width, height])).toEqual([
      [1000, 750],
      [800, 600],
    ]);
    expect(dpiOf(image)).toEqual({ x: 100, y: 100 });
    const described = { ...scan, metadata: { contexts: [], dpi: { x: 600, y: 300 } } };
    expect(dpiOf(shownOf(described, { maxSide: 1000 }))).toEqual({ x: 150, y: 75 });
    const turned = imageOf({ width: 4000, height: 3000, orientation: 6, dpi: { x: 400, y: 200 } });
    expect(dpiOf(shownOf(turned, { maxSide: 1000 }))).toEqual({ x: 50, y: 100 });
  });

  it('is the same object for all requests, by which limits are cached', () => {
    expect(highest(shownOf(scan, { maxSide: 1000 }))).toBe(highest(shownOf(scan, { maxSide: 1000, texts: true })));
  });

  it('has the size of a stored level that differs by the rounding of writers alone', () => {
    const tiled = imageOf({ width: 4001, height: 3003, reductions: 3, tile: 256, stored: jpegTiles, format: 'tiff' });
    expect(highest(shownOf(tiled, { maxSide: 1000 }))).toMatchObject({ width: 1000, height: 750 });
    expect(highest(shownOf(tiled, { maxSide: 1001 }))).toMatchObject({ width: 1000, height: 750 });
  });

  it('has boxes of the whole on its own pixels', () => {
    const image = shownOf(scan, { maxSide: 1000 });
    expect(onShown({ x: 400, y: 800, width: 401, height: 4 }, image)).toEqual({
      x: 100,
      y: 200,
      width: 101,
      height: 1,
    });
    expect(onShown({ x: 1, y: 2, width: 3, height: 4 }, scan)).toEqual({ x: 1, y: 2, width: 3, height: 4 });
  });
});

const picture = (framing: ImageRequest['framing'], more: Partial<ImageRequest> = {}): ImageRequest => ({
  framing,
  mirror: { horizontal: false, vertical: false },
  rotation: 0,
  color: {},
  format: 'jpeg',
  kernel: 'lanczos3',
  delivery: 'picture',
  ...more,
});

const region = (x: number, y: number, width: number, height: number, outWidth: number, outHeight: number) =>
  picture({
    by: 'region',
    region: { kind: 'pixels', x, y, width, height },
    size: { kind: 'exact', width: outWidth, height: outHeight },
    upscaling: 'allow',
  });

const rules = { limits: { maxArea: 1e8 }, sendFile: true };

const renderOf = (request: ImageRequest, image: Admitted<ImageSet>): Render => {
  const { plan } = planImage(request, image, rules);
  if (plan.kind !== 'render') throw new Error(`it is a ${plan.kind}`);
  return plan;
};

describe('plans for a tier', () => {
  const tiled = imageOf({ width: 4096, height: 3072, reductions: 5, tile: 256, stored: jpegTiles, format: 'tiff' });
  const small = shownOf(tiled, { maxSide: 1024 });
  const plain = shownOf(imageOf({ width: 4096, height: 3072 }), { maxSide: 1000 });

  it('send stored tiles where a level has exactly its pixels', () => {
    expect(planImage(region(0, 0, 256, 256, 256, 256), small, rules).plan).toMatchObject({
      kind: 'send-tile',
      location: { kind: 'page', page: 2 },
      column: 0,
    });
    expect(planImage(region(512, 0, 512, 512, 256, 256), small, rules).plan).toMatchObject({
      kind: 'send-tile',
      location: { kind: 'page', page: 3 },
      column: 1,
    });
    expect(planImage(region(0, 0, 256, 256, 256, 256), shownOf(tiled, { maxSide: 1000 }), rules).plan.kind).toBe(
      'render',
    );
  });

  it('are made of the pixels that the tier has of a part, or of half of them or less', () => {
    const side = fc.integer({ min: 1, max: 3000 });
    const kernel = fc.constantFrom('nearest' as const, 'linear' as const, 'lanczos3' as const);
    fc.assert(
      fc.property(
        side,
        side,
        side,
        side,
        side,
        side,
        kernel,
        fc.boolean(),
        (x, y, width, height, w, h, with_, isTiled) => {
          const image = isTiled ? small : plain;
          const full = highest(image);
          if (x >= full.width || y >= full.height) return;
          const { plan } = planImage({ ...region(x, y, width, height, w, h), kernel: with_ }, image, rules);
          const shown = { width: Math.min(width, full.width - x), height: Math.min(height, full.height - y) };
          if (plan.kind !== 'render') {
            expect([plan.kind, w <= shown.width, h <= shown.height]).toEqual(['send-tile', true, true]);
            return;
          }
          const kept = plan.keep ?? plan.scaled;
          const visible = (output: number, length: number) => (output * 1.9 <= length ? output : length);
          expect([kept.width, kept.height]).toEqual([visible(w, shown.width), visible(h, shown.height)]);
          expect(plan.rescaled ?? kept).toMatchObject({ width: w, height: h });
          expect(plan.size).toEqual({ width: w, height: h });
          expect(plan.kernel).not.toBe('nearest');
        },
      ),
    );
  });

  it('read the derived pyramid, also for the whole of the tier', () => {
    const derived = imageOf({ width: 4096, height: 3072, reductions: 4, tile: 512, stored: jpegTiles, format: 'tiff' });
    const [file] = derived.resolutions;
    const pyramid = { ...file, file: { ...file.file, path: '/pyramids/x' } };
    const image = shownOf(
      { ...imageOf({ width: 4096, height: 3072, format: 'png' }), derived: pyramid },
      { maxSide: 1000 },
    );
    expect(renderOf(region(0, 0, 1000, 750, 1000, 750), image)).toMatchObject({
      file: { path: '/pyramids/x' },
      level: { width: 1024, height: 768 },
      size: { width: 1000, height: 750 },
    });
  });

  it('send no file in place of a picture, and none at all, without originals', () => {
    const photo = imageOf({ width: 800, height: 600 });
    const whole = region(0, 0, 800, 600, 800, 600);
    expect(planImage(whole, photo, rules).plan.kind).toBe('send-file');
    expect(planImage(whole, shownOf(photo, { maxSide: 1000 }), rules).plan.kind).toBe('render');
    expect(planImage(whole, shownOf(photo, { originals: true }), rules).plan.kind).toBe('send-file');
    const original = { ...whole, delivery: 'file' as const };
    expect(() => planImage(original, shownOf(photo, { maxSide: 1000 }), rules)).toThrow('not have its file');
    expect(planImage(original, shownOf(photo, { originals: true }), rules).plan.kind).toBe('send-file');
  });

  it('make pictures of its formats alone', () => {
    const png = shownOf(imageOf({ width: 800, height: 600, format: 'png' }), { formats: ['jpeg', 'webp'] });
    const whole = region(0, 0, 800, 600, 400, 300);
    expect(renderOf({ ...whole, format: 'source' }, png).format).toBe('jpeg');
    expect(renderOf({ ...whole, format: 'webp' }, png).format).toBe('webp');
    expect(() => planImage({ ...whole, format: 'png' }, png, rules)).toThrow('JPEG, WebP only');
  });

  it('are explained without what would tell the size of the whole', () => {
    const decision = planImage(region(10, 10, 100, 100, 50, 50), plain, rules);
    const lines = explain(decision, { image: plain, key: 'k' });
    expect(lines.map(({ name, text }) => `${name}: ${text}`)).toEqual([
      'image: book/image;tier=small, 1000 x 750 pixels',
      'tier: small',
      'result: 50 x 50 pixels, image/jpeg',
      'cache key: k',
    ]);
  });
});

describe('identifiers of tiers', () => {
  test.each([
    ['book/page', undefined, 'book/page'],
    ['book/page', 'small', 'book/page;tier=small'],
    ['book/page.tif;2', 'a-1', 'book/page.tif;2;tier=a-1'],
  ])('of %s in %s are %s', (path, tier, joined) => {
    expect(joinTier(path, tier)).toBe(joined);
    expect(splitTier(joined)).toEqual({ path, ...(tier && { tier }) });
  });
  test.each(['a;tier=', 'a;tier=A', 'a;tier=a/b', 'a;tier=a;2', 'a;tiers=a'])('are not %s', (path) =>
    expect(splitTier(path)).toEqual({ path }),
  );
});
