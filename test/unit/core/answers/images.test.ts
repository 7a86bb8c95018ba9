import { describe, expect, it, test } from 'vitest';
import { createKnownDamage } from '../../../../src/core/access/known-damage.ts';
import { type BodyOptions, createImages, type ImageAnswer, type Images } from '../../../../src/core/answers/images.ts';
import { createOutgoingBytes } from '../../../../src/core/answers/outgoing-bytes.ts';
import { type CacheTiers, createDerivatives } from '../../../../src/core/cache/derivatives.ts';
import { ImageError } from '../../../../src/core/image/model/errors.ts';
import type { Admitted, ImageSet } from '../../../../src/core/image/model/image-set.ts';
import type { Renderer } from '../../../../src/core/render/renderer.ts';
import type { ReadTile } from '../../../../src/core/render/tiles/tile-reader.ts';
import { Storages } from '../../../../src/core/storage/storages.ts';
import { parseQuery } from '../../../../src/features/digilib/parameters.ts';
import { toImageRequest } from '../../../../src/features/digilib/scaler-request.ts';
import { parseImagePath } from '../../../../src/features/iiif-image/image-path.ts';
import { imageOf, jpegTiles } from '../image/image-builder.ts';

const request = toImageRequest(parseQuery('dw=100'));
const image = imageOf({ width: 1000, height: 500 });
/** The bytes of an answer that is made. */
async function made(answer: ImageAnswer, signal: AbortSignal, more: Partial<BodyOptions> = {}): Promise<Buffer> {
  if (answer.kind === 'original') throw new TypeError('the original would be sent');
  return answer.body({ signal, deadlineAtMs: Number.POSITIVE_INFINITY, client: 'a', ...more });
}

const waiting = (): AbortController => new AbortController();

type Replaced = Partial<Parameters<typeof createImages>[0]> & Partial<Parameters<typeof createImages>[0]['sources']>;

/** The use case without files and a renderer, but for what the test gives. */
const imagesWith = ({ readTile, readTileAtOnce, ...parts }: Replaced) =>
  createImages({
    quarantine: { requireUsable: async () => undefined, add: async () => undefined },
    renderer: { render: () => Promise.reject(new Error('no renderer here')), requireRoom: () => undefined },
    sources: {
      handle: (file) => ({
        ...new Storages().handle(file),
        requireCurrent: async () => undefined,
        requireAnswer: async () => undefined,
        localPath: file.path,
        withLocalCopy: (work) => work(file),
      }),
      readParts: async () => undefined,
      keepScale: () => undefined,
      readTile: readTile ?? (() => Promise.reject(new Error('no tiles here'))),
      readTileAtOnce: readTileAtOnce ?? (() => undefined),
    },
    derivatives: createDerivatives({ memoryBytes: 1_000_000, onFault: () => undefined }),
    outgoing: createOutgoingBytes({ maxBytes: 1e9 }),
    pyramids: { recordSlowRegion: () => undefined, leaveOut: () => undefined, replace: async () => undefined },
    rules: { limits: { maxArea: 1_000_000 }, sendFile: true },
    damage: createKnownDamage(),
    ...parts,
  });

/** The use case with a renderer whose renderings the test finishes. */
function createRenderer() {
  const begun: AbortSignal[] = [];
  const finish: (() => void)[] = [];
  const renderer: Pick<Renderer, 'render' | 'requireRoom'> = {
    requireRoom: () => undefined,
    render: (_plan, _origin, { signal }) =>
      new Promise((resolve, reject) => {
        begun.push(signal);
        signal.addEventListener('abort', () => reject(new ImageError('abandoned', 'given up')));
        finish.push(() =>
          resolve({ bytes: Buffer.from(`picture ${begun.length}`), width: 100, height: 50, queueMs: 0, renderMs: 0 }),
        );
      }),
  };
  const images = imagesWith({ renderer });
  const get = (signal: AbortSignal) => made(images.answer(request, image), signal).then((bytes) => bytes.toString());
  return { images, get, begun, finish };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('an image that many request at the same time', () => {
  it('is rendered once, and not again while it is cached', async () => {
    const { get, begun, finish } = createRenderer();
    const responses = Array.from({ length: 1000 }, () => get(waiting().signal));
    await settled();
    expect(begun).toHaveLength(1);
    finish[0]?.();
    expect(new Set(await Promise.all(responses))).toEqual(new Set(['picture 1']));
    expect(await get(waiting().signal)).toBe('picture 1');
    expect(begun).toHaveLength(1);
  });

  it('is still rendered when the first client has gone', async () => {
    const { get, begun, finish } = createRenderer();
    const first = waiting();
    const responses = [get(first.signal), get(waiting().signal)];
    await settled();
    first.abort();
    expect(begun[0]?.aborted).toBe(false);
    finish[0]?.();
    expect(await Promise.all(responses)).toEqual(['picture 1', 'picture 1']);
  });

  it('is aborted when all clients have gone', async () => {
    const { get, begun } = createRenderer();
    const clients = [waiting(), waiting()];
    const responses = clients.map(({ signal }) => get(signal));
    await settled();
    for (const client of clients) client.abort();
    expect(begun[0]?.aborted).toBe(true);
    for (const one of responses) await expect(one).rejects.toMatchObject({ code: 'abandoned' });
  });

  it('is rendered again for a request that comes just when the other clients have gone', async () => {
    const { get, begun, finish } = createRenderer();
    const gone = waiting();
    const abandoned = get(gone.signal);
    await settled();
    gone.abort();
    const late = get(waiting().signal);
    await expect(abandoned).rejects.toMatchObject({ code: 'abandoned' });
    await settled();
    expect(begun).toHaveLength(2);
    finish[1]?.();
    expect(await late).toBe('picture 2');
  });
});

describe('an image that the crowd asks for, too', () => {
  const byCrowd = (images: Images, signal = waiting().signal) =>
    made(images.answer(request, image), signal, { weight: 0.25 }).then(String);

  it('is not awaited by others', async () => {
    const { images, get, begun, finish } = createRenderer();
    const [first, second] = [byCrowd(images), byCrowd(images)];
    await settled();
    expect(begun).toHaveLength(1);
    const ofReader = get(waiting().signal);
    await settled();
    expect(begun).toHaveLength(2);
    finish[1]?.();
    expect(await ofReader).toBe('picture 2');
    expect(await byCrowd(images)).toBe('picture 2');
    finish[0]?.();
    expect(await Promise.all([first, second])).toEqual(['picture 2', 'picture 2']);
  });

  it('is awaited by the crowd where it is made for others, also once these have gone', async () => {
    const { images, get, begun, finish } = createRenderer();
    const gone = waiting();
    const ofReader = get(gone.signal);
    await settled();
    const joined = byCrowd(images);
    await settled();
    gone.abort();
    expect([begun.length, begun[0]?.aborted]).toEqual([1, false]);
    finish[0]?.();
    expect([await ofReader, await joined]).toEqual(['picture 1', 'picture 1']);
  });
});

describe('an image that a client is refused', () => {
  const refusal = new ImageError('over-budget', 'held', { retryAfterS: 9 });
  const refused = (images: Images) =>
    made(images.answer(request, image), waiting().signal, { refusal }).then(String, (error: ImageError) => error.code);

  it('is made for others, also for those who joined its request, and then is there for it', async () => {
    const { images, get, begun, finish } = createRenderer();
    const one = refused(images);
    const joined = get(waiting().signal);
    expect(await one).toBe('over-budget');
    await settled();
    expect(begun).toHaveLength(1);
    finish[0]?.();
    expect(await joined).toBe('picture 1');
    expect(await refused(images)).toBe('picture 1');
  });

  it('is awaited where it is made for another one', async () => {
    const { images, get, finish } = createRenderer();
    const first = get(waiting().signal);
    await settled();
    const one = refused(images);
    finish[0]?.();
    expect(await Promise.all([first, one])).toEqual(['picture 1', 'picture 1']);
  });
});

describe('room in the render queue', () => {
  const full = new ImageError('overloaded', 'busy');
  const get = async (region: string, size: string) => {
    const images = imagesWith({
      renderer: {
        render: () => Promise.reject(new Error('no room was required')),
        requireRoom: () => {
          throw full;
        },
      },
      readTile: async () => ({ kind: 'tile', bytes: Buffer.from('joined') }),
    });
    const of = imageOf({ width: 1200, height: 1000, format: 'tiff', tile: 256, stored: jpegTiles });
    const address = parseImagePath({ region, size, rotation: '0', qualityAndFormat: 'default.jpg' }, 3);
    return made(images.answer(address, of), new AbortController().signal).then(
      (bytes) => bytes.toString(),
      (error: unknown) => (error as ImageError).code,
    );
  };

  test.each([
    ['one stored tile', '256,256,256,256', 'max', 'joined'],
    ['four, as viewers ask for them', '512,512,512,512', 'max', 'joined'],
    ['a join of six', '0,0,768,512', 'max', 'overloaded'],
    ['a rendering', '0,0,300,300', '100,', 'overloaded'],
  ])('is required for what takes long: %s', async (_, region, size, answer) => {
    expect(await get(region, size)).toBe(answer);
  });
});

describe('a stored tile', () => {
  const tiled = imageOf({ width: 300, height: 200, format: 'tiff', tile: 256, stored: jpegTiles });
  const [derived] = tiled.resolutions;
  const photo = { ...imageOf({ width: 300, height: 200 }), derived } as Admitted<ImageSet>;

  /** Requests a region as JPEG where reading its tile yields `read`, and records the calls. */
  async function get(region: string, of: Admitted<ImageSet>, read: ReadTile) {
    const done: string[] = [];
    const tiers: (CacheTiers | undefined)[] = [];
    const images = imagesWith({
      renderer: {
        render: async ({ file }) => {
          done.push(`render ${file.path}`);
          return { bytes: Buffer.from('rendered'), width: 1, height: 1, queueMs: 0, renderMs: 0 };
        },
        requireRoom: () => undefined,
      },
      readTile: async () => read,
      derivatives: {
        ...createDerivatives({ memoryBytes: 0, onFault: () => undefined }),
        getOrCreate: (_key, make, options) => {
          tiers.push(options?.tiers);
          return make();
        },
      },
      pyramids: {
        recordSlowRegion: () => undefined,
        leaveOut: () => undefined,
        replace: async ({ path }) => void done.push(`drop ${path}`),
      },
    });
    const address = parseImagePath({ region, size: 'max', rotation: '0', qualityAndFormat: 'default.jpg' }, 3);
    const answer = await made(images.answer(address, of), new AbortController().signal).then(
      (bytes) => bytes.toString(),
      (error: unknown) => (error as ImageError).code,
    );
    const { lines } = await images.explain(address, of).catch(() => ({ lines: [] }));
    const splice = lines.findLast(({ name }) => name === 'splice a stored tile')?.text;
    return { done, tiers, splice, answer };
  }

  const tile: ReadTile = { kind: 'tile', bytes: Buffer.from('tile') };

  test.each([
    ['unchanged', '0,0,256,256', 256],
    ['without its padding', '256,0,44,200', 200],
  ] as const)('that is sent %s is cached in memory only', async (_, region, height) => {
    const of = imageOf({ width: 300, height, format: 'tiff', tile: 256, stored: jpegTiles });
    expect(await get(region, of, tile)).toMatchObject({ tiers: ['memory'], answer: 'tile', done: [] });
  });

  test.each<[string, ReadTile | undefined, string | undefined]>([
    ['that can be read at once is there without waiting', tile, 'tile'],
    ['that can’t be read at once is not', undefined, undefined],
    ['that is damaged is not', { kind: 'unusable', reason: 'it is damaged', isCutShort: false }, undefined],
  ])('%s', (_, read, expected) => {
    const derivatives = createDerivatives({ memoryBytes: 1_000_000, onFault: () => undefined });
    let reads = 0;
    const readTileAtOnce = (): ReadTile | undefined => {
      reads++;
      return read;
    };
    const images = imagesWith({ derivatives, readTileAtOnce });
    const address = parseImagePath(
      { region: '256,0,44,200', size: 'max', rotation: '0', qualityAndFormat: 'default.jpg' },
      3,
    );
    const answer = images.answer(address, tiled);
    if (answer.kind !== 'derivative') throw new Error('an original');
    for (let request = 1; request <= 3; request++) expect(answer.peek()?.toString()).toBe(expected);
    // The cache keeps it from the second request on.
    expect(reads).toBe(expected === undefined ? 3 : 2);
  });

  const path = derived.file.path;
  const uncut: ReadTile = { kind: 'uncut', reason: 'it can’t be' };
  const unusable: ReadTile = { kind: 'unusable', reason: 'it is damaged', isCutShort: false };
  const cutShort: ReadTile = { kind: 'unusable', reason: 'it is cut short', isCutShort: true };

  test.each<[string, Admitted<ImageSet>, ReadTile, object]>([
    [
      'whose padding can’t be cut off is rendered',
      tiled,
      uncut,
      { done: [`render ${path}`], splice: 'no: it can’t be' },
    ],
    ['that is cut short is not shown', tiled, cutShort, { done: [], answer: 'damaged', splice: 'no: it is cut short' }],
    ['that is damaged is rendered', tiled, unusable, { done: [`render ${path}`], splice: 'no: it is damaged' }],
    [
      'of a derived pyramid whose padding can’t be cut off is rendered from the pyramid, which stays',
      photo,
      uncut,
      { done: [`render ${path}`], answer: 'rendered', splice: 'no: it can’t be' },
    ],
    [
      'of a derived pyramid that is damaged ends the pyramid',
      photo,
      unusable,
      { done: [`drop ${path}`, `drop ${path}`], answer: 'changed' },
    ],
  ])('%s', async (_, of, read, expected) => {
    expect(await get('256,0,44,200', of, read)).toMatchObject(expected);
  });
});
