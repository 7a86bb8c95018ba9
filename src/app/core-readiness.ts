/** Whether the parts are ready, for `/readyz`: each root by its number or its link, the cache on disk, and the renderer. */
import type { Readiness, ReadinessCheck } from '../core/http/readiness.ts';
import type { RootState } from '../core/library/library.ts';
import { totalOf } from '../core/render/schedule/scheduler.ts';
import type { PictureResources as Resources } from './picture-resources.ts';

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

function renderCheck({ renderer }: Resources): ReadinessCheck {
  const { running, waiting } = totalOf(renderer.load());
  return { name: 'renderer', isReady: true, state: `${running} running, ${waiting} waiting` };
}

/** Asks the disks, for at most 2 s; everything else is known. */
export const createReadiness =
  (resources: Resources, ofFeatures: () => readonly ReadinessCheck[], isDraining: () => boolean): Readiness =>
  async () => {
    const roots = await resources.library.checkRoots();
    const server = { name: 'server', isReady: !isDraining(), state: isDraining() ? 'ends' : 'serves' };
    return [server, ...roots.map(rootCheck), ...cacheCheck(resources), ...ofFeatures(), renderCheck(resources)];
  };

/** A root's name without its path on the host, for everyone. `index` is its place among all roots, from 0. */
export const rootName = ({ link }: Pick<RootState, 'link'>, index: number): string =>
  link === undefined ? `root ${index + 1}` : `virtual folder ${link}`;
