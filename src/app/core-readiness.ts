/**
 * Whether the parts are ready, for `/readyz` and the metrics. What all servers share does not make one of them unready: if it fails, it
 * fails for all, and what they have cached, or have elsewhere, is to be answered on.
 */
import type { Readiness, ReadinessCheck } from '../core/http/readiness.ts';
import type { RootState } from '../core/library/library.ts';
import { totalOf } from '../core/render/schedule/scheduler.ts';
import { kindOf } from '../core/storage/storages.ts';
import type { PictureResources as Resources } from './picture-resources.ts';

const rootStates: Readonly<Record<RootState['state'], string>> = {
  answers: 'answers',
  hanging: 'does not answer',
  missing: 'is not there',
};

const isBucket = ({ folder }: RootState): boolean => kindOf(folder).needsSettings;

/**
 * A folder that is not there is not mounted on this machine, and others may have it. One that hangs is on a file server, which others
 * wait for too: it counts only where nothing else answers.
 */
function rootCheck(root: RootState, index: number, roots: readonly RootState[]): ReadinessCheck {
  const isReady = root.state === 'answers';
  const isShared = isBucket(root) || (root.state === 'hanging' && roots.some(({ state }) => state === 'answers'));
  return {
    name: rootName(root, index),
    ...(isShared && { isOptional: true }),
    isReady,
    state: rootStates[root.state],
  };
}

/** Buckets that are asked for something, also those that hold no root. */
const bucketChecks = ({ activity }: Resources): readonly ReadinessCheck[] =>
  activity.buckets().flatMap(({ bucket, isFailing, isFallenBack }): readonly ReadinessCheck[] => {
    const isReady = !isFailing || isFallenBack;
    const state = isReady ? 'answers' : 'fails';
    const check: ReadinessCheck = { name: `bucket ${bucket}`, isOptional: true, isReady, state };
    if (!isFallenBack) return [check];
    const name = `endpoint of bucket ${bucket}`;
    return [check, { name, isOptional: true, isReady: false, state: 'fails; the fallback endpoint answers' }];
  });

/** Where no copies can be written, pictures that need none are answered. */
function copiesCheck({ activity }: Resources): readonly ReadinessCheck[] {
  const copies = activity.copyStats();
  if (copies === undefined) return [];
  return [{ name: 'copies', isOptional: true, isReady: copies.lack === undefined, state: copies.lack ?? 'ready' }];
}

/** A server without its cache on disk is slower, and answers everything. */
function cacheCheck({ derivatives }: Resources): readonly ReadinessCheck[] {
  const { disk } = derivatives.stats();
  if (disk === undefined) return [];
  const isReady = disk.state === 'ready' || disk.state === 'indexing';
  return [{ name: 'cache', isOptional: true, isReady, state: disk.state }];
}

/** Without the shared queue each server builds by itself. */
function queueCheck({ pyramids }: Resources): readonly ReadinessCheck[] {
  const { isShared } = pyramids.load();
  if (isShared === undefined) return [];
  return [{ name: 'queue', isOptional: true, isReady: isShared, state: isShared ? 'is shared' : 'does not answer' }];
}

function renderCheck({ renderer }: Resources): ReadinessCheck {
  const { running, waiting } = totalOf(renderer.load());
  return { name: 'renderer', isReady: true, state: `${running} running, ${waiting} waiting` };
}

/** Asks the disks, for at most 2 s; everything else is known. `known` tells the states as they were known last. */
export function createReadiness(
  resources: Resources,
  ofFeatures: () => readonly ReadinessCheck[],
  isDraining: () => boolean,
): Readiness {
  const checks = (roots: readonly RootState[]): readonly ReadinessCheck[] => [
    { name: 'server', isReady: !isDraining(), state: isDraining() ? 'ends' : 'serves' },
    ...roots.map(rootCheck),
    ...bucketChecks(resources),
    ...copiesCheck(resources),
    ...cacheCheck(resources),
    ...queueCheck(resources),
    ...ofFeatures(),
    renderCheck(resources),
  ];
  return {
    ask: async () => checks(await resources.library.checkRoots()),
    known: () => checks(resources.library.roots()),
  };
}

/** A root's name without its path on the host, for everyone. `index` is its place among all roots, from 0. */
export const rootName = ({ link }: Pick<RootState, 'link'>, index: number): string =>
  link === undefined ? `root ${index + 1}` : `virtual folder ${link}`;
