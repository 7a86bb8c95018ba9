/** The folder that all servers serve during one run: copies of the scans, so that nothing is known of them yet. */
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pause } from './settle.mjs';
import { sourceFolder, sources } from './sources.mjs';

/** A file or folder that has just changed could change again without a trace, so that a careful server reads it anew each time. */
const restMs = 2500;

/**
 * A library in the folder. `scan` gives the one copy under the source’s own name, `fresh` a copy that nobody has asked for
 * yet. A scan is its name, its file, its size, and whether it has levels.
 */
export async function makeLibrary(folder) {
  await mkdir(folder, { recursive: true });
  const known = new Map();
  const counts = new Map();
  let changedMs = 0;
  const copy = async (source, name) => {
    const file = path.join(folder, name);
    await copyFile(path.join(sourceFolder, source), file);
    changedMs = performance.now();
    const { size, levels } = sources[source];
    return { name, file, size, levels };
  };
  const fresh = (source) => {
    const count = (counts.get(source) ?? 0) + 1;
    counts.set(source, count);
    return copy(source, source.replace('.', `-copy${count}.`));
  };
  const scan = async (source) => {
    if (!known.has(source)) known.set(source, await copy(source, source));
    return known.get(source);
  };
  /** Resolves when nothing has changed for so long as in any library in use. */
  const rest = () => pause(Math.max(0, changedMs + restMs - performance.now()));
  return { folder, scan, fresh, rest };
}
