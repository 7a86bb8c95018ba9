/** The queue of what is purged: bounded, never too little, and sent again; and the paths that a change has. */
import { describe, expect, it, vi } from 'vitest';
import { purgeKeyOf, surrogateKeysOf } from '../../../../src/core/http/shared-caches.ts';
import { PurgeQueue } from '../../../../src/features/purge/purge-queue.ts';
import { documentAddresses, pathsOfStored } from '../../../../src/features/purge/purged-paths.ts';
import { createSeenImages } from '../../../../src/features/purge/seen-images.ts';

function queueOf(maxWaiting: number, purge: (paths: readonly string[]) => Promise<void>) {
  const faults: string[] = [];
  const recoveries: number[] = [];
  const queue = new PurgeQueue({
    name: 'edge',
    maxWaiting,
    purge,
    onFault: (message) => void faults.push(message),
    onRecovery: () => void recoveries.push(1),
    collectMs: 1,
    longestPauseMs: 2,
  });
  return { queue, faults, recoveries };
}

describe('the queue', () => {
  it('sends what comes together together, each path once', async () => {
    const sent: (readonly string[])[] = [];
    const { queue } = queueOf(10, async (paths) => void sent.push(paths));
    queue.add(['a', 'b']);
    queue.add(['b', 'c']);
    await vi.waitFor(() => expect(sent).toEqual([['a', 'b', 'c']]));
    queue.add(['a']);
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    expect(queue.stats()).toEqual({ waiting: 0, purged: 4, failed: 0, overflowed: 0 });
    await queue.close();
  });

  it('purges everything where too much waits, or everything is asked for', async () => {
    const sent: (readonly string[])[] = [];
    const { queue } = queueOf(2, async (paths) => void sent.push(paths));
    queue.add(['a', 'b', 'c', 'd']);
    expect(queue.stats().waiting).toBe(1);
    await vi.waitFor(() => expect(sent).toEqual([['']]));
    expect(queue.stats().overflowed).toBe(1);
    queue.add(['a', '', 'b']);
    await vi.waitFor(() => expect(sent).toEqual([[''], ['']]));
    await queue.close();
  });

  it('sends again what failed, with what came meanwhile, and says so once', async () => {
    const sent: (readonly string[])[] = [];
    let isFailing = true;
    const { queue, faults, recoveries } = queueOf(10, async (paths) => {
      sent.push([...paths].sort());
      if (isFailing) throw new Error('no answer');
    });
    queue.add(['a']);
    await vi.waitFor(() => expect(queue.stats().failed).toBeGreaterThan(1));
    queue.add(['b']);
    isFailing = false;
    await vi.waitFor(() => expect(queue.stats()).toMatchObject({ waiting: 0, purged: 2 }));
    expect(sent.at(-1)).toEqual(['a', 'b']);
    expect([faults.length, recoveries.length]).toEqual([1, 1]);
    await queue.close();
  });

  it('counts as waiting what is being purged', async () => {
    let finish = (): void => undefined;
    let isSent = false;
    const { queue } = queueOf(10, () => {
      isSent = true;
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
    queue.add(['a']);
    await vi.waitFor(() => expect(isSent).toBe(true));
    expect(queue.stats()).toMatchObject({ waiting: 1, purged: 0 });
    finish();
    await vi.waitFor(() => expect(queue.stats()).toMatchObject({ waiting: 0, purged: 1 }));
    await queue.close();
  });

  it('ends with what waits', async () => {
    const { queue } = queueOf(10, () => Promise.reject(new Error('no answer')));
    queue.add(['a']);
    await queue.close();
    queue.add(['b']);
    expect(queue.stats().waiting).toBe(2);
  });
});

describe('what has changed', () => {
  const library = {
    folders: ['s3://scans/all', '/srv/images/'],
    virtualFolders: [{ link: 'maps/atlas', folder: 's3://scans/all/atlas' }],
  } as unknown as Parameters<typeof pathsOfStored>[1];

  it.each([
    ['s3://scans/all/book/p1.tif', ['book/p1.tif']],
    ['s3://scans/all/atlas/1.tif', ['atlas/1.tif', 'maps/atlas/1.tif']],
    ['/srv/images/book/p1.jpg', ['book/p1.jpg']],
    ['s3://scans/all', ['']],
    ['s3://scans/all-others/p1.tif', []],
  ])('%s is at %j in the library', (stored, paths) => expect(pathsOfStored(stored, library)).toEqual(paths));

  it('has documents', () => {
    const addresses = { contextPath: '/digilib', slash: '!' };
    expect(documentAddresses('a b/p1.tif', addresses)).toContain('/digilib/iiif/3/a%20b!p1.tif/info.json');
    expect(documentAddresses('a b/p1.tif', addresses)).toContain('/digilib/presentation/3/a%20b/manifest.json');
    expect(documentAddresses('', addresses)).toContain('/digilib/presentation/2/collection.json');
  });

  it.each([
    ['another file', { resolutions: [{ file: { fingerprint: '2' } }] }, true],
    ['a redaction', { covers: { key: 'black' } }, true],
    ['other rules', { isOpen: false }, true],
    ['nothing', {}, false],
  ])('is noticed at requests: %s', (_what, change, isNoticed) => {
    const changed: string[] = [];
    const saw = createSeenImages((path) => changed.push(path));
    const image = {
      identifier: { segments: ['book', 'scan.tif;2'] },
      isOpen: true,
      resolutions: [{ file: { fingerprint: '1' } }],
    };
    saw(image as never);
    saw({ ...image, ...change } as never);
    expect(changed).toEqual(isNoticed ? ['book/scan.tif'] : []);
  });
});

describe('keys', () => {
  const deep = (depth: number): string => Array.from({ length: depth }, (_, index) => `f${index}`).join('/');

  it.each([1, 5, 28, 29, 30, 31, 60, 500])(
    'of an image below a folder %i deep are few, and one of them purges the folder',
    (depth) => {
      const keys = surrogateKeysOf(`${deep(depth)}/below/page.tif`);
      expect(keys.length).toBeLessThan(33);
      expect(keys).toContain(purgeKeyOf(deep(depth)));
      expect(keys).toContain(purgeKeyOf(''));
      expect(keys).toContain(purgeKeyOf(`${deep(depth)}/below/page.tif`));
    },
  );

  it('are the same for pages and tiers of a file, and others for its neighbors', () => {
    const own = purgeKeyOf('book/scan.tif');
    for (const path of ['book/scan.tif;3', 'book/scan.tif;tier=small', '/book//scan.tif'])
      expect(purgeKeyOf(path)).toBe(own);
    expect(surrogateKeysOf('book/scan2.tif')).not.toContain(own);
  });
});
