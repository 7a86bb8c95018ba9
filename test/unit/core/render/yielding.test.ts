/** Pictures of strangers beside readers: those that are late are refused as where they had not started, and cached once they are there. */
import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSharedWorks } from '../../../../src/core/answers/shared-work.ts';
import type { ImageError } from '../../../../src/core/image/model/errors.ts';
import { planPart } from '../../../../src/core/image/plan/plan-render.ts';
import type { Render } from '../../../../src/core/image/plan/plan-types.ts';
import { openRenderer, type Renderer } from '../../../../src/core/render/renderer.ts';
import { fingerprintOf } from '../../../../src/core/storage/storage.ts';
import { imageOf } from '../image/image-builder.ts';

const [width, height] = [64, 48];
let folder: string;
let renderer: Renderer;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lectern-yielding-'));
  await sharp({ create: { width, height, channels: 3, background: 'gray' } }).toFile(path.join(folder, 'a.png'));
  renderer = openRenderer({ processes: 0, maxWaiting: 10, memoryBytes: 2 ** 27, idleMs: 10_000 });
});
afterAll(async () => {
  await renderer.close();
  await rm(folder, { recursive: true });
});

function planFor(): Render {
  const [resolution] = imageOf({ width, height }).resolutions;
  const plan = planPart(resolution, { x: 0, y: 0, width, height }, { width: 32, height: 24 }, 'png');
  const file = path.join(folder, 'a.png');
  return { ...plan, file: { ...plan.file, path: file, fingerprint: fingerprintOf(statSync(file, { bigint: true })) } };
}

const stranger = { client: 'x', groups: ['strangers', 'network'], weight: 0.25, folder: '' };

it('a picture that yields and is late is `overloaded`, not `too-slow`', async () => {
  const works = createSharedWorks();
  const errorOf = async (origin: Parameters<Renderer['render']>[1]): Promise<string> => {
    const options = {
      signal: new AbortController().signal,
      deadlineAtMs: performance.now() + 200,
      client: origin.client,
    };
    // The rendering itself is done at once; what waits for it here is not answered until its deadline.
    const late = works.run(origin.client, options, async (shared) => {
      await renderer.render(planFor(), origin, shared);
      return new Promise(() => undefined);
    });
    return late.then(
      () => 'done',
      ({ code }: ImageError) => code,
    );
  };
  expect(await errorOf(stranger)).toBe('too-slow');
  expect(await errorOf({ client: 'reader', folder: '' })).toBe('too-slow');
  expect(await errorOf({ ...stranger, client: 'y' })).toBe('overloaded');
});
