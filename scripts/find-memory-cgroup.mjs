// Finds out whether this process may make memory cgroups (Linux, usually as root), and of which version.
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const mount = '/sys/fs/cgroup';

/** Version 2 gives a group the files of its memory only where the group around it says so. */
function enableMemory(parent) {
  try {
    writeFileSync(path.join(parent, 'cgroup.subtree_control'), '+memory');
  } catch {
    // It is enabled already, or it can't be: what a new group has tells.
  }
}

/** Whether a group can be made in this one, and limits memory. */
function isUsable(parent, limitFile) {
  const probe = path.join(parent, `lectern-probe-${process.pid}`);
  try {
    mkdirSync(probe);
  } catch {
    return false;
  }
  const hasLimit = existsSync(path.join(probe, limitFile));
  rmdirSync(probe);
  return hasLimit;
}

/** The group of version 2 that this process is in, below the mount. */
function ownGroup() {
  try {
    return /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1] ?? '/';
  } catch {
    return '/';
  }
}

/**
 * The version of the memory cgroups that can be made, and the folder in which to make them; undefined where there are none.
 * @returns {{ version: 1 | 2, parent: string } | undefined}
 */
export function findMemoryCgroup() {
  const first = path.join(mount, 'memory');
  if (isUsable(first, 'memory.limit_in_bytes')) return { version: 1, parent: first };
  for (const parent of new Set([mount, path.join(mount, ownGroup()), path.dirname(path.join(mount, ownGroup()))])) {
    if (!existsSync(path.join(parent, 'cgroup.controllers'))) continue;
    enableMemory(parent);
    if (isUsable(parent, 'memory.max')) return { version: 2, parent };
  }
  return undefined;
}
