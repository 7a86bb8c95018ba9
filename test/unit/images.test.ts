import { describe, expect, it } from 'vitest';
import { createDerivatives } from '../../src/cache/derivatives.ts';
import { parseQuery } from '../../src/digilib/query.ts';
import { toImageRequest } from '../../src/digilib/request.ts';
import { ImageError } from '../../src/image/errors.ts';
import type { Renderer } from '../../src/render/renderer.ts';
import { createImages } from '../../src/service/images.ts';
import { imageOf } from './image-builder.ts';

const request = toImageRequest(parseQuery('dw=100'));
const image = imageOf({ width: 1000, height: 500 });
const waiting = (): AbortController => new AbortController();

/** The use case over a renderer that renders when it is told to. */
function studio() {
  const begun: AbortSignal[] = [];
  const finish: (() => void)[] = [];
  const renderer: Renderer = {
    render: (_plan, signal) =>
      new Promise((resolve, reject) => {
        begun.push(signal);
        signal.addEventListener('abort', () => reject(new ImageError('abandoned', 'given up')));
        finish.push(() => resolve({ bytes: Buffer.from(`picture ${begun.length}`), width: 100, height: 50 }));
      }),
    load: () => ({ running: 0, waiting: 0 }),
    close: async () => undefined,
  };
  const images = createImages({
    renderer,
    sources: {
      requireCurrent: async () => undefined,
      readCurrent: async () => Buffer.alloc(0),
      readTile: () => Promise.reject(new Error('no tiles here')),
    },
    derivatives: createDerivatives({ memoryBytes: 1_000_000, onFault: () => undefined }),
    pyramids: { noticePart: () => undefined, drop: async () => undefined },
    rules: { limits: { maxArea: 1_000_000 }, sendFile: true },
  });
  const ask = (signal: AbortSignal) =>
    images
      .answer(request, image)
      .body(signal)
      .then((body) => (body.kind === 'bytes' ? body.bytes.toString() : body.kind));
  return { ask, begun, finish };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a picture that many ask for at the same time', () => {
  it('is rendered once, and once only as long as it is kept', async () => {
    const { ask, begun, finish } = studio();
    const asked = Array.from({ length: 1000 }, () => ask(waiting().signal));
    await settled();
    expect(begun).toHaveLength(1);
    finish[0]?.();
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['picture 1']));
    expect(await ask(waiting().signal)).toBe('picture 1');
    expect(begun).toHaveLength(1);
  });

  it('is rendered on when the first who asked has gone', async () => {
    const { ask, begun, finish } = studio();
    const first = waiting();
    const asked = [ask(first.signal), ask(waiting().signal)];
    await settled();
    first.abort();
    expect(begun[0]?.aborted).toBe(false);
    finish[0]?.();
    expect(await Promise.all(asked)).toEqual(['picture 1', 'picture 1']);
  });

  it('is given up when all of them have gone', async () => {
    const { ask, begun } = studio();
    const clients = [waiting(), waiting()];
    const asked = clients.map(({ signal }) => ask(signal));
    await settled();
    for (const client of clients) client.abort();
    expect(begun[0]?.aborted).toBe(true);
    for (const one of asked) await expect(one).rejects.toMatchObject({ code: 'abandoned' });
  });

  it('is rendered anew for one who asks just when the others have gone', async () => {
    const { ask, begun, finish } = studio();
    const gone = waiting();
    const abandoned = ask(gone.signal);
    await settled();
    gone.abort();
    const late = ask(waiting().signal);
    await expect(abandoned).rejects.toMatchObject({ code: 'abandoned' });
    await settled();
    expect(begun).toHaveLength(2);
    finish[1]?.();
    expect(await late).toBe('picture 2');
  });
});
