/** Whether the parts are ready, for `/readyz`: each root by its number or its link, the cache on disk, and the renderer. */

import type { Resources } from '../../app/resources.ts';
import { rootName } from '../../app/root-names.ts';
import type { Readiness, ReadinessCheck } from '../../core/http/readiness.ts';
import type { RootState } from '../../core/library/library.ts';
import { totalOf } from '../../core/render/schedule/scheduler.ts';
import type { BackgroundIndexing, IndexingState } from '../search/indexing/background-indexing.ts';

const rootStates: Readonly<Record<RootState['state'], string>> = {
  answers: 'answers',
  hanging: 'does not answer',
  missing: 'is not there',
};

const rootCheck = (root: RootState, index: number): ReadinessCheck => ({
  name: rootName(root, index),
  isReady: root.state === 'answers',
  state: rootStates[root.state],
});

/** A server without its cache on disk is slower, and answers everything. */
function cacheCheck({ derivatives }: Resources): readonly ReadinessCheck[] {
  const { disk } = derivatives.stats();
  if (disk === undefined) return [];
  const isReady = disk.state === 'ready' || disk.state === 'indexing';
  return [{ name: 'cache', isOptional: true, isReady, state: disk.state }];
}

/** Without a current index, searches in texts find less; everything else is answered. */
function searchCheck({ state }: IndexingState): readonly ReadinessCheck[] {
  return state === 'off' ? [] : [{ name: 'search', isOptional: true, isReady: state !== 'failed', state }];
}

function renderCheck({ renderer }: Resources): ReadinessCheck {
  const { running, waiting } = totalOf(renderer.load());
  return { name: 'renderer', isReady: true, state: `${running} running, ${waiting} waiting` };
}

/** Asks the disks, for at most 2 s; everything else is known. */
export const createReadiness =
  (resources: Resources, indexing: Pick<BackgroundIndexing, 'state'>, isDraining: () => boolean): Readiness =>
  async () => {
    const roots = await resources.library.checkRoots();
    const server = { name: 'server', isReady: !isDraining(), state: isDraining() ? 'ends' : 'serves' };
    return [
      server,
      ...roots.map(rootCheck),
      ...cacheCheck(resources),
      ...searchCheck(indexing.state()),
      renderCheck(resources),
    ];
  };
