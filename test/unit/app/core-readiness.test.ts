import { expect, it } from 'vitest';
import { createReadiness } from '../../../src/app/core-readiness.ts';
import type { PictureResources } from '../../../src/app/picture-resources.ts';
import { searchCheck } from '../../../src/features/search/feature.ts';
import type { IndexingState } from '../../../src/features/search/indexing/background-indexing.ts';

const none = { running: 0, waiting: 0 };

const resources = {
  library: { checkRoots: async () => [] },
  derivatives: { stats: () => ({}) },
  renderer: { load: () => ({ small: none, large: none, huge: none, preview: none }) },
} as unknown as PictureResources;

const checksWith = (state: IndexingState['state']) =>
  createReadiness(
    resources,
    () => searchCheck({ state } as IndexingState),
    () => false,
  )();

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
