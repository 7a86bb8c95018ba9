/** Notes of links that were used once, in a folder and in Redis: each is used once, whoever asks. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coreSettings } from '../../src/config/core-settings.ts';
import { newLinkId } from '../../src/features/signed-links/link-tokens.ts';
import { openUsedLinks, type UsedLinks } from '../../src/features/signed-links/used-links.ts';
import { startRedis, type TestRedis } from '../fixtures/redis-server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-used-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const later = () => Date.now() + 3_600_000;

const required = (used: UsedLinks | undefined): UsedLinks => {
  if (used === undefined) throw new TypeError('nothing notes it');
  return used;
};

/** Two servers, which know nothing of each other but where they note. */
function notesOnce(name: string, open: () => UsedLinks): void {
  describe(name, () => {
    it('notes a use once, for all that share it', async () => {
      const [one, other] = [open(), open()];
      const id = newLinkId();
      expect(await one.isUsed(id)).toBe(false);
      const uses = await Promise.all([one, other, one, other, one].map((used) => used.use(id, later())));
      expect(uses.filter(Boolean)).toHaveLength(1);
      for (const used of [one, other, open()]) {
        expect([await used.isUsed(id), await used.use(id, later())]).toEqual([true, false]);
        used.close();
      }
      one.close();
    });

    it('forgets a use that came to nothing', async () => {
      const used = open();
      const id = newLinkId();
      expect(await used.use(id, later())).toBe(true);
      await used.release(id);
      expect([await used.isUsed(id), await used.use(id, later())]).toEqual([false, true]);
      used.close();
    });
  });
}

const inFolder = () => required(openUsedLinks(path.join(folder, 'shared'), undefined));
notesOnce('a folder', inFolder);

it('a folder loses what has expired, and nothing else', async () => {
  const own = path.join(folder, 'old');
  const [past, present] = [newLinkId(), newLinkId()];
  const first = required(openUsedLinks(own, undefined));
  await first.use(past, Date.now() - 1);
  await first.use(present, later());
  writeFileSync(path.join(own, 'notes.txt'), 'mine');
  writeFileSync(path.join(own, 'abcdefgh.used'), '');
  await required(openUsedLinks(own, undefined)).use(newLinkId(), later());
  const names = readdirSync(own);
  expect([names.includes(`${past}.used`), names.includes(`${present}.used`)]).toEqual([false, true]);
  expect(names).toEqual(expect.arrayContaining(['notes.txt', 'abcdefgh.used']));
});

it('a folder that can’t be written is no permission', async () => {
  writeFileSync(path.join(folder, 'file'), '');
  const used = required(openUsedLinks(path.join(folder, 'file', 'in'), undefined));
  for (let time = 0; time < 2; time++) await expect(used.use(newLinkId(), later())).rejects.toThrow();
});

it('without both, there is nothing that notes it', () => expect(openUsedLinks(undefined, undefined)).toBeUndefined());

describe('with Redis', { tags: 'redis' }, () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.close());

  const settings = () => coreSettings.redis.parse({ address: redis.address });
  notesOnce('Redis', () => required(openUsedLinks(undefined, settings())));
  notesOnce('both', () => required(openUsedLinks(path.join(folder, 'both'), settings())));

  it('that is lost, nothing is used; what the folder knows stays', async () => {
    const used = required(openUsedLinks(path.join(folder, 'lost'), settings()));
    const [before, after] = [newLinkId(), newLinkId()];
    expect(await used.use(before, later())).toBe(true);
    await redis.kill();
    await expect(used.use(after, later())).rejects.toThrow();
    await redis.start();
    expect(await used.use(before, later())).toBe(false);
    await expect.poll(() => used.use(after, later()).catch(() => false)).toBe(true);
    used.close();
  });
});
