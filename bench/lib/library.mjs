/** The folder that all servers serve during one run: copies of the scans, so that no server has cached anything of them. */
import { copyFile, link, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pause } from './settle.mjs';
import { sourceFolder, sources } from './sources.mjs';

/** A second change within the clock’s resolution is invisible, so Lectern does not cache what it reads of recently changed files. */
const restMs = 2500;

/**
 * Makes a library in the folder. `scan` resolves to the copy with the source’s own name, `fresh` to a new copy, `freshLink` to a
 * new hard link of that copy: another image for the servers, without its bytes. A scan has a name, a file, a size, and `levels`:
 * whether it is a pyramid.
 */
export async function makeLibrary(folder) {
  await mkdir(folder, { recursive: true });
  const copies = new Map();
  const counts = new Map();
  let changedMs = 0;
  const add = async (source, name, write) => {
    const file = path.join(folder, name);
    await write(file);
    changedMs = performance.now();
    const { size, levels } = sources[source];
    return { name, file, size, levels };
  };
  const copy = (source, name) => add(source, name, (file) => copyFile(path.join(sourceFolder, source), file));
  const nextName = (source) => {
    const count = (counts.get(source) ?? 0) + 1;
    counts.set(source, count);
    return source.replace('.', `-copy${count}.`);
  };
  const fresh = (source) => copy(source, nextName(source));
  const scan = async (source) => {
    if (!copies.has(source)) copies.set(source, await copy(source, source));
    return copies.get(source);
  };
  const freshLink = async (source) => {
    const { file: linked } = await scan(source);
    return add(source, nextName(source), (file) => link(linked, file));
  };
  /** Resolves when the last change is long enough ago for everything to be cached. */
  const waitUntilCacheable = () => pause(Math.max(0, changedMs + restMs - performance.now()));
  return { folder, scan, fresh, freshLink, waitUntilCacheable };
}
