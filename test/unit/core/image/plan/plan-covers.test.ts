/** What redactions and watermarks change of plans, and of how pictures are answered. */
import { describe, expect, it, test } from 'vitest';
import { tieredImage } from '../../../../../src/core/access/tiered-image.ts';
import type { Covers, Watermark } from '../../../../../src/core/image/model/covers.ts';
import { ImageError } from '../../../../../src/core/image/model/errors.ts';
import type { Orientation, Rect } from '../../../../../src/core/image/model/geometry.ts';
import type { Admitted, ImageSet } from '../../../../../src/core/image/model/image-set.ts';
import { costOf, keyOf } from '../../../../../src/core/image/plan/cost.ts';
import { explain } from '../../../../../src/core/image/plan/explanation.ts';
import { limitsFor } from '../../../../../src/core/image/plan/image-limits.ts';
import { planImage } from '../../../../../src/core/image/plan/plan.ts';
import type { Decision, Render } from '../../../../../src/core/image/plan/plan-types.ts';
import { parseQuery } from '../../../../../src/features/digilib/parameters.ts';
import { toImageRequest } from '../../../../../src/features/digilib/scaler-request.ts';
import { parseImagePath } from '../../../../../src/features/iiif-image/image-path.ts';
import { imageOf, jpegTiles } from '../image-builder.ts';

const limits = { maxArea: 100_000_000 };
const sketch = { width: 4096, height: 3072, format: 'tiff', reductions: 3, tile: 256, stored: jpegTiles } as const;
const pyramid = imageOf(sketch);
const photo = imageOf({ width: 4096, height: 3072 });

const redacted = (image: Admitted<ImageSet>, ...redactions: readonly Rect[]): Admitted<ImageSet> => ({
  ...image,
  covers: { redactions, key: `of ${JSON.stringify(redactions)}` },
});

const watermark: Watermark = {
  mark: { bytes: Buffer.from('a picture of the site'), hash: 'h1', width: 300, height: 100 },
  place: 'center',
  opacity: 0.5,
  width: 0.25,
  minSide: 300,
};

const marked = (image: Admitted<ImageSet>, more: Partial<Watermark> = {}): Admitted<ImageSet> => ({
  ...image,
  covers: { redactions: [], watermark: { ...watermark, ...more }, key: `mark ${JSON.stringify(more)}` },
});

function iiif(path: string, image: Admitted<ImageSet>): Decision {
  const [region = '', size = '', rotation = '', qualityAndFormat = ''] = path.split('/');
  const request = parseImagePath({ region, size, rotation, qualityAndFormat }, 3);
  return planImage(request, image, { limits, sendFile: true });
}

const scaler = (query: string, image: Admitted<ImageSet>): Decision =>
  planImage(toImageRequest(parseQuery(query)), image, { limits, sendFile: true });

function renderOf({ plan }: Decision): Render {
  if (plan.kind !== 'render') throw new Error(`the plan is ${plan.kind}`);
  return plan;
}

const redactionOf = (decision: Decision) => renderOf(decision).covers?.redaction;
const whyNotTile = ({ passedOver }: Decision) => passedOver.find(({ kind }) => kind === 'send-tile')?.reason;

/** In the tile of column 2, row 1 of the full size. */
const inTile = { x: 600, y: 300, width: 100, height: 50 };

describe('where nothing lies, the plan and its key are those of an image without covers', () => {
  test.each([
    ['a tile beside a redaction', '0,0,256,256/256,256/0/default.jpg', redacted(pyramid, inTile)],
    ['a part beside it', '1000,1000,500,500/200,/90/gray.png', redacted(pyramid, inTile)],
    ['a reduced tile beside it', '2048,0,1024,1024/256,256/0/default.jpg', redacted(pyramid, inTile)],
    ['a tile beside a mark', '0,0,256,256/256,256/0/default.jpg', marked(pyramid)],
    ['a thumbnail', 'full/299,/0/default.jpg', marked(pyramid)],
    ['a part of a JPEG', '2000,2000,500,500/200,/0/default.jpg', redacted(photo, inTile)],
    ['an image without any', 'full/500,/0/default.jpg', redacted(photo)],
  ])('%s', (_, path, image) => {
    const { covers: _covers, ...plain } = image;
    const [own, other] = [iiif(path, image), iiif(path, plain as Admitted<ImageSet>)];
    expect(own.plan).toEqual(other.plan);
    expect(JSON.stringify(own.plan)).toBe(JSON.stringify(other.plan));
    expect(keyOf(own.plan)).toBe(keyOf(other.plan));
  });
});

describe('a redacted picture', () => {
  it('is black in what is read, and in what is shown', () => {
    const decision = iiif('512,256,256,256/256,256/0/default.jpg', redacted(pyramid, inTile));
    // Whole blocks of 16 pixels, and two pixels more on each side: the colors of JPEG have half of the size.
    const black = { x: 592 - 512 - 2, y: 288 - 256 - 2, width: 112 + 4, height: 64 + 4 };
    const picture = { width: 256, height: 256 };
    expect(redactionOf(decision)).toEqual({ read: [black], shown: [black], picture });
    expect(whyNotTile(decision)).toBe('a part of it is redacted');
  });

  it('has a key of its own, by the key of the covers too', () => {
    const image = redacted(pyramid, inTile);
    const other = { ...image, covers: { redactions: [inTile], key: 'another' } };
    const path = '512,256,256,256/256,256/0/default.jpg';
    const keys = [pyramid, image, other].map((one) => keyOf(iiif(path, one).plan));
    expect(new Set(keys).size).toBe(3);
  });

  test.each([
    // Level 1 has half of the pixels: there the redaction ends with pixel 350, and three pixels more are black, and their blocks of 8.
    ['0,0,512,512/256,256/0/default.jpg', [{ x: 296, y: 144, width: 64, height: 40 }], true],
    ['512,0,512,512/256,256/0/default.jpg', [{ x: 296, y: 144, width: 64, height: 40 }], false],
  ])('of a smaller level, where stored tiles have something of what is beside them: %s', (path, inLevel, isBeside) => {
    const decision = iiif(path, redacted(pyramid, inTile));
    if (isBeside) expect(decision.plan.kind).toBe('send-tile');
    else expect(redactionOf(decision)?.read).toEqual(inLevel.map((rect) => ({ ...rect, x: rect.x - 256 })));
  });

  it('is a neighboring tile, too, that is as near as the reach of the filter and of blocks', () => {
    const at = (x: number) => redacted(pyramid, { ...inTile, x, width: 100 });
    const tile = '0,256,256,256/256,256/0/default.jpg';
    expect(iiif(tile, at(272)).plan.kind).toBe('send-tile');
    expect(iiif(tile, at(271)).plan.kind).toBe('render');
    const half = '0,0,512,512/256,256/0/default.jpg';
    expect(iiif(half, at(518)).plan.kind).toBe('send-tile');
    expect(iiif(half, at(517)).plan.kind).toBe('render');
  });

  it('reads neighbors that are redacted, though it shows none of these', () => {
    const image = redacted(photo, { x: 0, y: 0, width: 992, height: 3072 });
    expect(redactionOf(iiif('1000,1000,900,900/300,/0/default.jpg', image))).toMatchObject({ shown: [] });
  });

  it('is averaged first where many more pixels are read than are needed, and only so far is it shrunk while it loads', () => {
    const render = renderOf(iiif('full/256,/0/default.jpg', redacted(photo, inTile)));
    expect(render.covers?.redaction?.before).toEqual({ width: 768, height: 576 });
    expect(render.read).toBeUndefined();
    // Outward to blocks of JPEG and by two pixels, and then by two of the averaged ones.
    expect(render.covers?.redaction?.read).toEqual([{ x: 108, y: 51, width: 27, height: 18 }]);
  });

  it('reads all pixels of a level where few more are read than are needed', () => {
    const render = renderOf(iiif('full/2048,/0/default.jpg', redacted(photo, inTile)));
    expect(render.covers?.redaction?.before).toBeUndefined();
    expect(render.read).toEqual({ x: 0, y: 0, width: 4096, height: 3072 });
  });

  test.each<[Orientation, Rect]>([
    [1, { x: 590, y: 286, width: 116, height: 68 }],
    [3, { x: 4096 - 706, y: 3072 - 354, width: 116, height: 68 }],
    [6, { x: 286, y: 3072 - 706, width: 68, height: 116 }],
    [8, { x: 4096 - 354, y: 590, width: 68, height: 116 }],
  ])('is redacted where it is stored, in orientation %d', (orientation, black) => {
    const image = redacted(imageOf({ width: 4096, height: 3072, orientation }), inTile);
    expect(redactionOf(iiif('full/max/0/default.png', image))?.read).toEqual([black]);
    expect(redactionOf(iiif('full/max/0/default.png', image))?.shown).toEqual([
      { x: 590, y: 286, width: 116, height: 68 },
    ]);
  });

  test.each([
    ['90', { x: 3072 - 354, y: 590, width: 68, height: 116 }],
    ['180', { x: 4096 - 706, y: 3072 - 354, width: 116, height: 68 }],
    ['!0', { x: 4096 - 706, y: 286, width: 116, height: 68 }],
  ])('is redacted where it is turned to by %s', (rotation, black) => {
    expect(redactionOf(iiif(`full/max/${rotation}/default.png`, redacted(photo, inTile)))?.shown).toEqual([black]);
  });

  it('of a tier is redacted in pixels of the whole', () => {
    const tier = { name: 'small', maxSide: 1024, originals: false, documents: false, texts: false };
    const small = tieredImage(pyramid, { tier, denial: 'denied', isNamed: true, isForAll: false });
    const { covers } = redacted(pyramid, inTile);
    const decision = iiif('0,0,256,256/256,256/0/default.jpg', { ...small, ...(covers && { covers }) });
    // A quarter of its pixels, three more, and their blocks of 8.
    const black = { x: 144, y: 72, width: 40, height: 24 };
    expect(redactionOf(decision)).toMatchObject({ read: [black], shown: [black] });
  });

  it('of a prescaled version has what its filter reached', () => {
    const image = redacted(
      imageOf({ width: 4096, height: 3072, format: 'png' }, { width: 1024, height: 768, format: 'png' }),
      inTile,
    );
    expect(redactionOf(scaler('dw=1024&mo=lores', image))?.read).toEqual([{ x: 147, y: 72, width: 31, height: 19 }]);
    expect(redactionOf(scaler('dw=4096&mo=hires', image))?.read).toEqual([inTile]);
  });

  it('is never a file', () => {
    const whole = scaler('dw=4096&dh=3072&mo=hires,jpg', redacted(photo, inTile));
    expect(whole.passedOver[0]).toEqual({
      kind: 'send-file',
      reason: 'no files are sent of a tier, or of what is covered',
    });
    expect(whole.plan.kind).toBe('render');
    const original = () => scaler('mo=file', redacted(photo, inTile));
    expect(original).toThrow(ImageError);
    expect(original).toThrow(expect.objectContaining({ code: 'denied' }));
  });

  it('counts in what it costs, in the limits of the image, and in the explanation', () => {
    const image = redacted(photo, inTile);
    const [own, plain] = [iiif('full/1000,/0/default.jpg', image), iiif('full/1000,/0/default.jpg', photo)];
    expect(costOf(renderOf(own)).bytes).toBeGreaterThan(costOf(renderOf(plain)).bytes + 1000 * 750 * 3);
    expect(costOf(renderOf(own)).ms).toBeGreaterThan(costOf(renderOf(plain)).ms);
    const steps = explain(own, { image, key: 'k' }).filter(({ name }) => name === 'step');
    expect(steps.map(({ text }) => text)).toEqual([
      'scale to 3000 x 2250 (linear)',
      'make a redaction black',
      'scale to 1000 x 750 (lanczos3)',
      'make what is redacted black again',
      'encode as image/jpeg',
    ]);
    const { bytes } = costOf(renderOf(iiif('full/max/0/default.jpg', image)));
    const tight = { ...limits, renderBytes: bytes - 1 };
    expect(limitsFor(photo, tight).maxArea).toBe(limits.maxArea);
    expect(limitsFor(image, tight).maxArea).toBeLessThan(4096 * 3072);
  });
});

describe('a marked picture', () => {
  it('has the part of the mark that lies on it', () => {
    // The mark has 1024 x 341 1/3 pixels of the image, from 1536, 1365 1/3.
    const { covers } = renderOf(iiif('1536,1280,256,256/256,256/0/default.jpg', marked(pyramid)));
    expect(covers?.mark).toMatchObject({
      opacity: 0.5,
      made: { width: 1024, height: 341 },
      copies: [{ x: 0, y: 85, width: 1024, height: 341 }],
    });
    const next = renderOf(iiif('1792,1280,256,256/256,256/0/default.jpg', marked(pyramid)));
    expect(next.covers?.mark?.copies).toEqual([{ x: -256, y: 85, width: 1024, height: 341 }]);
  });

  it('is made once for a scale, also where tiles at the edge are rounded', () => {
    const image = marked(imageOf({ ...sketch, width: 4001, height: 3001 }), { place: 'tiled' });
    const sizes = new Set<string>();
    for (let x = 0; x < 4001; x += 2048) {
      for (let y = 0; y < 3001; y += 2048) {
        const [w, h] = [Math.min(2048, 4001 - x), Math.min(2048, 3001 - y)];
        const path = `${x},${y},${w},${h}/${Math.ceil(w / 8)},${Math.ceil(h / 8)}/0/default.jpg`;
        const { mark } = renderOf(iiif(path, image)).covers ?? {};
        sizes.add(JSON.stringify([mark?.made, mark?.copies[0]?.width]));
      }
    }
    expect(sizes.size).toBe(1);
  });

  test.each([
    ['center', 'send-tile', 'render'],
    ['tiled', 'render', 'render'],
    ['top-left', 'render', 'send-tile'],
  ] as const)('%s: stored tiles are sent where it does not lie', (place, corner, middle) => {
    const image = marked(pyramid, { place, width: 0.1 });
    expect(iiif('0,0,1024,1024/256,256/0/default.jpg', image).plan.kind).toBe(corner);
    expect(iiif('1024,1024,1024,1024/256,256/0/default.jpg', image).plan.kind).toBe(middle);
    const reason = 'a watermark lies on it';
    if (corner === 'render') expect(whyNotTile(iiif('0,0,1024,1024/256,256/0/default.jpg', image))).toBe(reason);
  });

  it('is named in keys by its hash, and all that says how it lies', () => {
    const path = 'full/1000,/0/default.jpg';
    const key = keyOf(iiif(path, marked(pyramid)).plan);
    expect(key).toContain('h1');
    expect(key).not.toContain('bytes":{');
    const others: readonly Partial<Watermark>[] = [
      { place: 'tiled' },
      { opacity: 0.4 },
      { width: 0.26 },
      { mark: { ...watermark.mark, hash: 'h2' } },
    ];
    const same = (image: Admitted<ImageSet>): Admitted<ImageSet> => ({
      ...image,
      covers: { ...(image.covers as Covers), key: 'same' },
    });
    const keys = [{}, ...others].map((more) => keyOf(iiif(path, same(marked(pyramid, more))).plan));
    expect(new Set(keys).size).toBe(5);
  });

  it('never has more than some thousands of copies, and bounded memory at any scale', () => {
    const image = marked(pyramid, { place: 'tiled', width: 0.0001, minSide: 0 });
    expect(renderOf(iiif('full/1000,/0/default.jpg', image)).covers?.mark?.copies.length).toBeLessThan(2000);
    const large = marked(pyramid, { width: 1 });
    const { mark } = renderOf(iiif('2000,1500,100,100/^6000,6000/0/default.jpg', large)).covers ?? {};
    expect((mark?.made.width ?? 0) * (mark?.made.height ?? 0)).toBeLessThanOrEqual(2_000_000);
    expect(mark?.copies[0]?.width).toBe(4096 * 60);
  });

  it('says so in the explanation', () => {
    const image = marked(pyramid);
    const texts = explain(iiif('full/1000,/0/default.jpg', image), { image, key: 'k' }).map(({ text }) => text);
    expect(texts).toContain('draw the watermark');
  });
});
