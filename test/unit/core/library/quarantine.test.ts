/** Files that are put aside: for which renderings, until when, and after a restart (survive.md, "Load and faults"). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planPart } from '../../../../src/core/image/plan/plan-render.ts';
import type { Render } from '../../../../src/core/image/plan/plan-types.ts';
import { MetadataIndex } from '../../../../src/core/library/index/metadata-index.ts';
import { Quarantine } from '../../../../src/core/library/quarantine.ts';
import { imageOf } from '../image/image-builder.ts';

const scan = imageOf({ width: 10_000, height: 8000 }).resolutions[0];
const planOf = (side: number, fingerprint = 'f0'): Render => {
  const resolution = { ...scan, file: { ...scan.file, fingerprint } };
  return planPart(resolution, { x: 0, y: 0, width: 10_000, height: 8000 }, { width: side, height: side }, 'webp');
};
const isUsable = (files: Quarantine, plan: Render): Promise<boolean> =>
  files.requireUsable(plan).then(
    () => true,
    (error) => {
      expect(error).toMatchObject({ code: 'put-aside' });
      return false;
    },
  );

describe('a file whose rendering', () => {
  it.each(['memory', 'deadline'] as const)(
    'failed (%s) is refused for such renderings, and made smaller',
    async (kind) => {
      const files = new Quarantine();
      expect(await isUsable(files, planOf(8000))).toBe(true);
      await files.add(planOf(8000), kind);
      expect(await isUsable(files, planOf(8000))).toBe(false);
      expect(await isUsable(files, planOf(9000))).toBe(false);
      expect(await isUsable(files, planOf(200))).toBe(true);
      expect(files.size()).toBe(1);
    },
  );

  it('crashed is refused for all renderings of the level, and for none of another level', async () => {
    const files = new Quarantine();
    await files.add(planOf(8000), 'crash');
    expect(await isUsable(files, planOf(200))).toBe(false);
    expect(await isUsable(files, { ...planOf(200), location: { kind: 'page', page: 3 } })).toBe(true);
  });

  it('crashed is tried again when it has changed', async () => {
    const files = new Quarantine();
    await files.add(planOf(8000), 'crash');
    expect(await isUsable(files, planOf(8000, 'f1'))).toBe(true);
  });
});

describe('files that are put aside', () => {
  let directory = '';
  const open = () => {
    const index = new MetadataIndex({ directory, maxBytes: 2 ** 24, onFault: () => undefined });
    return { index, files: new Quarantine(index) };
  };
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'lectern-aside-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('are still so after a restart', async () => {
    const first = open();
    await first.files.add(planOf(8000), 'memory');
    await first.files.add(planOf(9000), 'crash');
    await first.index.close();
    const second = open();
    expect(await isUsable(second.files, planOf(200))).toBe(false);
    expect(await isUsable(second.files, planOf(200, 'f1'))).toBe(true);
    const [file, ...others] = await second.index.faultyFiles();
    expect(file).toMatchObject({
      path: scan.file.path,
      fingerprint: 'f0',
      faults: [{ kind: 'crash' }, { kind: 'memory' }],
    });
    expect(others).toEqual([]);
    await second.index.close();
  });

  it('are bounded in number', async () => {
    const files = new Quarantine();
    for (let index = 0; index < 1100; index++) {
      const plan = planOf(200);
      await files.add({ ...plan, file: { ...plan.file, path: `/library/${index}.jpg` } }, 'crash');
    }
    expect(files.size()).toBe(1000);
  });
});
