// Where Helm is, for the chart: the one of an npm package, so that everyone renders it by the same version, or one on the PATH.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../node_modules/', import.meta.url));
// Has helm for Linux on x64, in a ZIP archive.
const archive = path.join(modules, '@aws-cdk/asset-kubectl-v20/lib/layer.zip');
const unpacked = path.join(modules, '.cache/lectern/helm');

/** Unpacks it, once, whole under its name; false where it can’t. */
function unpack() {
  try {
    const folder = mkdtempSync(path.join(modules, 'helm-'));
    try {
      if (spawnSync('unzip', ['-q', '-j', archive, 'helm/helm', '-d', folder]).status !== 0) return false;
      mkdirSync(path.dirname(unpacked), { recursive: true });
      renameSync(path.join(folder, 'helm'), unpacked);
      return true;
    } finally {
      rmSync(folder, { recursive: true });
    }
  } catch {
    return false;
  }
}

/**
 * The absolute path of helm, or undefined.
 * @returns {string | undefined}
 */
export function findHelm() {
  if (existsSync(unpacked)) return unpacked;
  if (process.platform === 'linux' && process.arch === 'x64' && existsSync(archive) && unpack()) return unpacked;
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, 'helm'))
    .find((file) => existsSync(file));
}
