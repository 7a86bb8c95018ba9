// Renders the Helm chart of `deploy/chart`, and checks its values by Helm, as an installation does.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findHelm } from './find-helm.mjs';

const chart = fileURLToPath(new URL('../deploy/chart', import.meta.url));

/**
 * What a subcommand of Helm prints.
 * @param {readonly string[]} args
 * @returns {{ status: number | null, stdout: string, stderr: string }}
 */
export function runHelm(args) {
  const helm = findHelm();
  if (helm === undefined) throw new Error('there is no helm');
  return spawnSync(helm, args, { cwd: chart, encoding: 'utf8' });
}

/**
 * All manifests of a release, as `helm install` would send them.
 * @param {readonly string[]} args files of values and single ones, as for Helm
 * @param {string} release
 * @returns {{ status: number | null, stdout: string, stderr: string }}
 */
export const renderChart = (args, release = 'lectern') =>
  // Without a cluster, Helm assumes an old version of Kubernetes.
  runHelm(['template', release, '.', '--kube-version', '1.30.0', ...args]);
