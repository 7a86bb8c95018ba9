import { beforeEach, describe, expect, it } from 'vitest';
import { createReadiness } from '../../../src/app/core-readiness.ts';
import type { PictureResources } from '../../../src/app/picture-resources.ts';
import { degraded, notReady } from '../../../src/core/http/readiness.ts';
import type { RootState } from '../../../src/core/library/library.ts';
import type { BucketState } from '../../../src/core/storage/store-activity.ts';
import { searchCheck } from '../../../src/features/search/feature.ts';
import type { IndexingState } from '../../../src/features/search/indexing/background-indexing.ts';

let roots: readonly RootState[] = [];
let buckets: readonly BucketState[] = [];
let queue: { readonly isShared?: boolean } = {};

beforeEach(() => {
  roots = [];
  buckets = [];
  queue = {};
});

const none = { running: 0, waiting: 0 };

const resources = {
  library: { checkRoots: async () => roots, roots: () => roots },
  activity: { buckets: () => buckets, copyStats: () => undefined },
  pyramids: { load: () => queue },
  derivatives: { stats: () => ({}) },
  renderer: { load: () => ({ small: none, large: none, huge: none, preview: none }) },
} as unknown as PictureResources;

const checksWith = (state: IndexingState['state']) =>
  createReadiness(
    resources,
    () => searchCheck({ state, isFull: false } as IndexingState),
    () => false,
  ).ask();

it.each([
  ['waiting', true],
  ['indexing', true],
  ['ready', true],
  ['failed', false],
] as const)(
  'tells that the index of texts is %s, without which a server is ready all the same',
  async (state, isReady) =>
    expect(await checksWith(state)).toContainEqual({ name: 'search', isOptional: true, isReady, state }),
);

it('tells nothing of an index that is switched off', async () =>
  expect((await checksWith('off')).map(({ name }) => name)).toEqual(['server', 'renderer']));

describe('what is shared', () => {
  const answers = { folder: '/scans', state: 'answers' } as const;
  const hanging = { folder: '/mnt/nfs', state: 'hanging' } as const;
  const missing = { folder: '/mnt/none', state: 'missing' } as const;
  const bucket = { folder: 's3://scans', state: 'hanging' } as const;

  it.each([
    ['a bucket that does not answer', [bucket], [], ['root 1']],
    ['a bucket and a folder that do not answer', [bucket, hanging], ['root 2'], ['root 1']],
    ['a file server that hangs beside another root', [answers, hanging], [], ['root 2']],
    ['a file server that hangs, with nothing else', [hanging], ['root 1'], []],
    ['a folder that is not mounted here', [answers, missing], ['root 2'], []],
  ] as const)('%s', async (_, states, unready, less) => {
    roots = states;
    const checks = await checksWith('off');
    expect([notReady(checks), degraded(checks)]).toEqual([unready, less]);
  });

  it('a bucket that fails without holding a root, and Redis, leave the server ready', async () => {
    buckets = [
      { bucket: 'pictures', circuits: new Map(), refused: 0, fallbacks: 0, isFallenBack: false, isFailing: true },
    ];
    queue = { isShared: false };
    const checks = await checksWith('off');
    expect([notReady(checks), degraded(checks)]).toEqual([[], ['bucket pictures', 'queue']]);
  });

  it('an index that is full is told', () =>
    expect(searchCheck({ state: 'failed', isFull: true } as IndexingState)).toEqual([
      { name: 'search', isOptional: true, isReady: false, state: 'full' },
    ]));
});
