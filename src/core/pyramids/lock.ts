/** A lock for each pyramid, also across processes: a file that only one of them can create, and that expires with its holder. */
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { alreadyExists, ifFound, isAccessDenied, isNotFound } from '../storage/file-errors.ts';
import { uniqueToken } from '../storage/layout.ts';

/** The holder of a lock gives it a new time at this interval, in ms. */
const renewalMs = 20_000;

/**
 * A lock whose holder has not given it a new time for this long, in ms, has expired: its machine was switched off, or its process
 * runs no more. Clocks of machines that share a folder may differ by the rest.
 */
const maxAgeMs = 3 * 60_000;

/** Whether a process of this machine is running; one of another user answers EPERM. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isAccessDenied(error);
  }
}

/** The process that holds a lock, by the text of its file; empty where that is not written yet. */
function parseHolder(text: string): { readonly pid?: number; readonly host?: string } {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** The locks of this process. Another lock with its process id is that of an earlier process. */
const heldHere = new Set<string>();

/** A lock file that is empty for longer than this was left by a process that died. */
const writeDeadlineMs = 5000;

interface Lock {
  readonly text: string;
  readonly ageMs: number;
}

function isHeld(file: string, { text, ageMs }: Lock): boolean {
  const { pid, host } = parseHolder(text);
  if (pid === undefined) return ageMs < writeDeadlineMs;
  if (ageMs > maxAgeMs) return false;
  if (host !== hostname()) return true;
  return pid === process.pid ? heldHere.has(file) : isAlive(pid);
}

async function readLock(file: string): Promise<Lock | undefined> {
  const found = await ifFound(Promise.all([readFile(file, 'utf8'), stat(file)]));
  return found && { text: found[0], ageMs: Date.now() - found[1].mtimeMs };
}

/** Whether a running process holds the lock. */
export async function isLocked(file: string): Promise<boolean> {
  const lock = await readLock(file);
  return lock !== undefined && isHeld(file, lock);
}

/** Moves a stale lock away; a lock that was taken meanwhile is put back. */
async function removeStale(file: string, staleText: string): Promise<void> {
  const aside = `${file}.${uniqueToken()}`;
  try {
    await rename(file, aside);
    if ((await readFile(aside, 'utf8')) !== staleText) await link(aside, file);
  } catch (error) {
    // Another process has removed or replaced it already.
    if (!isNotFound(error) && !alreadyExists(error)) throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

async function create(file: string): Promise<boolean> {
  if (heldHere.has(file)) return false;
  heldHere.add(file);
  const text = JSON.stringify({ pid: process.pid, host: hostname(), nonce: uniqueToken() });
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    heldHere.delete(file);
    if (alreadyExists(error)) return false;
    throw error;
  }
}

/** Takes the lock, also from a process that died. Returns a function that releases it; undefined where it is held. */
export async function takeLock(file: string): Promise<(() => Promise<void>) | undefined> {
  let renewal: NodeJS.Timeout | undefined;
  const release = async (): Promise<void> => {
    clearInterval(renewal);
    heldHere.delete(file);
    await rm(file, { force: true });
  };
  const hold = (): (() => Promise<void>) => {
    renewal = setInterval(() => {
      const now = new Date();
      utimes(file, now, now).catch(() => undefined);
    }, renewalMs).unref();
    return release;
  };
  if (await create(file)) return hold();
  const lock = await readLock(file);
  if (lock !== undefined) {
    if (isHeld(file, lock)) return undefined;
    await removeStale(file, lock.text);
  }
  return (await create(file)) ? hold() : undefined;
}
