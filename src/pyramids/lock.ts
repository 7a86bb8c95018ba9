/** One writer for each pyramid, also across processes: a file that only one can create, and that the dead lose. */
import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { alreadyExists, isAccessDenied, isNotFound } from '../storage/file-errors.ts';

/** Who holds a lock, as its file says. */
interface Holder {
  readonly pid: number;
  readonly host: string;
}

/** Beyond this age in ms nobody makes a pyramid any more: it is longer than the longest deadline. */
const maxAgeMs = 35 * 60_000;

/** Whether a process of this machine is there; one of another user answers EPERM. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isAccessDenied(error);
  }
}

function parseHolder(text: string): Holder | undefined {
  try {
    const { pid, host } = JSON.parse(text) as Partial<Holder>;
    return Number.isInteger(pid) && typeof host === 'string' ? { pid: pid as number, host } : undefined;
  } catch {
    return undefined;
  }
}

/** The locks of this process: one that names it and is not among them is of an earlier process with the same number. */
const own = new Set<string>();

/** A lock is given a moment to be written before its emptiness tells that its writer died. */
const writingMs = 5000;

/** Whether a lock is held: by its text and its age in ms. */
function isHeld(file: string, text: string, ageMs: number): boolean {
  const holder = parseHolder(text);
  if (holder === undefined) return ageMs < writingMs;
  if (ageMs > maxAgeMs) return false;
  if (holder.host !== hostname()) return true;
  return holder.pid === process.pid ? own.has(file) : isAlive(holder.pid);
}

async function readLock(file: string): Promise<{ readonly text: string; readonly ageMs: number } | undefined> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
    return { text, ageMs: Date.now() - mtimeMs };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Whether somebody who is alive holds the lock. */
export async function isLocked(file: string): Promise<boolean> {
  const lock = await readLock(file);
  return lock !== undefined && isHeld(file, lock.text, lock.ageMs);
}

/** Moves a stale lock away; one that was taken anew meanwhile is put back. */
async function removeStale(file: string, staleText: string): Promise<void> {
  const aside = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    await rename(file, aside);
    if ((await readFile(aside, 'utf8')) !== staleText) await link(aside, file);
  } catch (error) {
    // Another one was faster, which is as good.
    if (!isNotFound(error) && !alreadyExists(error)) throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

async function create(file: string): Promise<boolean> {
  const nonce = randomBytes(8).toString('hex');
  if (own.has(file)) return false;
  own.add(file);
  try {
    await writeFile(file, JSON.stringify({ pid: process.pid, host: hostname(), nonce }), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    own.delete(file);
    if (alreadyExists(error)) return false;
    throw error;
  }
}

/** Takes the lock, also from a dead holder. Gives what releases it; undefined where somebody alive holds it. */
export async function takeLock(file: string): Promise<(() => Promise<void>) | undefined> {
  const release = async (): Promise<void> => {
    own.delete(file);
    await rm(file, { force: true });
  };
  if (await create(file)) return release;
  const lock = await readLock(file);
  if (lock !== undefined) {
    if (isHeld(file, lock.text, lock.ageMs)) return undefined;
    await removeStale(file, lock.text);
  }
  return (await create(file)) ? release : undefined;
}
