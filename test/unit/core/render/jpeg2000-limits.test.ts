/** Render processes that decode JPEG 2000 keep to their memory and to deadlines. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DecoderFault, type ImageError } from '../../../../src/core/image/model/errors.ts';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { planPart } from '../../../../src/core/image/plan/plan-render.ts';
import type { Render } from '../../../../src/core/image/plan/plan-types.ts';
import { createFileProbe } from '../../../../src/core/library/file-facts.ts';
import {
  createProcessPool,
  type Executor,
  type ProcessPoolOptions,
} from '../../../../src/core/render/process/process-pool.ts';
import { repeatTile } from '../../../fixtures/jpeg2000/repeated-tiles.mjs';

const fixtures = fileURLToPath(new URL('../../../fixtures/jpeg2000/', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'lectern-jpeg2000-limits-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const mebibyte = 2 ** 20;
const probe = createFileProbe();

/** A plan of the whole image at its full size. */
async function planFor(file: string, part?: Size): Promise<Render> {
  const [source] = await probe(file);
  if (source === undefined) throw new Error(`${file} can’t be read`);
  const { width, height } = part ?? source;
  return planPart(source, { x: 0, y: 0, width, height }, { width, height }, 'jpeg');
}

let pool: Executor;
const start = (options: Partial<ProcessPoolOptions>): void => {
  pool = createProcessPool({ count: 1, jobsEach: 2, ...options });
};
afterEach(() => pool.close());

/** `done`, or the code of the error and what its file is blamed for. */
const outcomeOf = (plan: Render, withinMs: number): Promise<string> => {
  const deadlineAtMs = performance.now() + withinMs;
  return pool
    .execute(plan, () => deadlineAtMs)
    .then(
      () => 'done',
      ({ code, cause }: ImageError) => (cause instanceof DecoderFault ? `${code}, ${cause.kind}` : code),
    );
};

describe('a picture of 419 megapixels', () => {
  let large: Render;
  let small: Render;
  beforeAll(async () => {
    const file = path.join(folder, 'large.j2k');
    writeFileSync(file, repeatTile(readFileSync(path.join(fixtures, 'large-tiles.jp2')), 80, 80));
    [large, small] = [await planFor(file), await planFor(file, { width: 300, height: 200 })];
  });

  it('that takes more memory than its process may have is refused, and the process goes on', async () => {
    start({ maxBytes: 150 * mebibyte });
    expect(await outcomeOf(small, 20_000)).toBe('done');
    expect(await outcomeOf(large, 60_000)).toBe('too-large, memory');
    expect(await outcomeOf(small, 20_000)).toBe('done');
    expect(pool.stats().ended).toMatchObject({ timeout: 0, killed: 0 });
  });

  it('is ended soon after its deadline, for which its file is blamed, and a new process goes on', async () => {
    start({ blameMs: 20 });
    expect(await outcomeOf(small, 20_000)).toBe('done');
    const began = performance.now();
    expect(await outcomeOf(large, 300)).toBe('too-slow, deadline');
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(pool.stats().ended).toMatchObject({ timeout: 1, crash: 0, memory: 0 });
    expect(await outcomeOf(small, 20_000)).toBe('done');
  });
});
