import { expect, it } from 'vitest';
import type { IndexingState } from '../../../src/app/background-indexing.ts';
import { createReadiness } from '../../../src/app/readiness.ts';
import type { Resources } from '../../../src/app/resources.ts';

const none = { running: 0, waiting: 0 };

const resources = {
  library: { checkRoots: async () => [] },
  derivatives: { stats: () => ({}) },
  renderer: { load: () => ({ small: none, large: none, huge: none, preview: none }) },
} as unknown as Resources;

const checksWith = (state: IndexingState['state']) =>
  createReadiness(resources, { state: () => ({ state }) as IndexingState }, () => false)();

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
