/** What a rendering throws, by what went wrong: the source's data, its file, the machine, or the program. */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ImageError } from '../../../../src/core/image/model/errors.ts';
import { planPart } from '../../../../src/core/image/plan/plan-render.ts';
import type { Render } from '../../../../src/core/image/plan/plan-types.ts';
import { execute } from '../../../../src/core/render/execute.ts';
import {
  createInProcessExecutor,
  createProcessPool,
  type Executor,
} from '../../../../src/core/render/process/process-pool.ts';
import { fingerprintOf } from '../../../../src/core/storage/storage.ts';
import { imageOf } from '../image/image-builder.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lectern-execute-'));
});
afterAll(() => rm(folder, { recursive: true }));

const [width, height] = [64, 48];

/** A plan that renders a whole file of 64 x 48 pixels, with `changes` in it. */
function planFor(file: string, changes: Partial<Render> = {}): Render {
  const [resolution] = imageOf({ width, height }).resolutions;
  const plan = planPart(resolution, { x: 0, y: 0, width, height }, { width: 32, height: 24 }, 'jpeg');
  const stats = statSync(path.join(folder, file), { bigint: true, throwIfNoEntry: false });
  const fingerprint = stats ? fingerprintOf(stats) : 'gone';
  return { ...plan, file: { ...plan.file, path: path.join(folder, file), fingerprint }, ...changes };
}

async function write(name: string, bytes: Buffer): Promise<string> {
  await writeFile(path.join(folder, name), bytes);
  return name;
}

const picture = (): Promise<Buffer> =>
  sharp({
    create: { width, height, channels: 3, background: 'gray', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  })
    .jpeg()
    .toBuffer();

/** Plans, each with what it throws. */
async function failingPlans(): Promise<Readonly<Record<string, readonly [code: string, plan: Render]>>> {
  const whole = await write('whole.jpg', await picture());
  const small = await write(
    'small.jpg',
    await sharp(await picture())
      .resize(8)
      .jpeg()
      .toBuffer(),
  );
  const start = (await picture()).subarray(0, 800);
  const interlaced = await sharp(await picture())
    .ensureAlpha(0.5)
    .png({ progressive: true })
    .toBuffer();
  return {
    'bytes of no format': ['damaged', planFor(await write('garbage.jpg', Buffer.alloc(5000, 7)))],
    'an empty file': ['damaged', planFor(await write('empty.jpg', Buffer.alloc(0)))],
    'a file that is cut short': ['damaged', planFor(await write('cut.jpg', start))],
    'a file whose name holds brackets, cut short': ['damaged', planFor(await write('cut[1].jpg', start))],
    'an interlaced PNG that is cut short, for which libvips blames its encoder': [
      'damaged',
      planFor(await write('cut.png', interlaced.subarray(0, interlaced.length / 2)), { format: 'png' }),
    ],
    'fewer pixels than the header said': ['damaged', planFor(small, { read: { x: 10, y: 10, width: 40, height: 30 } })],
    'a file that is gone': ['changed', planFor('gone.jpg')],
    'a file that is gone, whose name holds brackets': ['changed', planFor('gone[1].jpg')],
    'a part outside of the image': ['failed', planFor(whole, { read: { x: 60, y: 0, width: 40, height: 30 } })],
    'a size that is none': ['failed', planFor(whole, { scaled: { width: -3, height: 5 } })],
    'a plan that lacks a member': ['failed', planFor(whole, { turn: undefined as unknown as Render['turn'] })],
  };
}

/** One after the other: all jobs of a process share libvips' error buffer, so simultaneous failures can mix their messages. */
async function codesOf(executor: Executor): Promise<readonly (readonly [string, string])[]> {
  const codes: (readonly [string, string])[] = [];
  for (const [name, [, plan]] of Object.entries(await failingPlans())) {
    const code = await executor
      .execute(plan, () => Infinity)
      .then(
        () => 'done',
        (error: ImageError) => error.code,
      );
    codes.push([name, code]);
  }
  return codes;
}

const expected = async () => Object.entries(await failingPlans()).map(([name, [code]]) => [name, code]);

describe('a rendering that fails', () => {
  it('says whether the data, the file or the program is at fault', async () => {
    const executor = createInProcessExecutor();
    expect(await codesOf(executor)).toEqual(await expected());
  });

  it('says the same through a render process', async () => {
    const executor = createProcessPool({ count: 1, jobsEach: 2 });
    try {
      expect(await codesOf(executor)).toEqual(await expected());
    } finally {
      await executor.close();
    }
  });

  it('keeps the cause for the log', async () => {
    const error = await execute(planFor('gone.jpg')).catch((thrown: ImageError) => thrown);
    expect(error).toMatchObject({ code: 'changed', cause: expect.any(Error) });
    expect((error as ImageError).message).not.toContain(folder);
  });

  it('does not call a file damaged when no more files can be opened', async () => {
    const whole = await write('fine.jpg', await picture());
    const program = fileURLToPath(new URL('../../../fixtures/programs/exhausted-process.mjs', import.meta.url));
    const plan = JSON.stringify(planFor(whole));
    const { stdout } = spawnSync('sh', ['-c', `ulimit -n 100; exec node "${program}"`], {
      input: plan,
      encoding: 'utf8',
    });
    expect(stdout).toBe('done failed\n');
  });
});
