/** Values that the browser keeps for its reader, of this server alone. */
import { effect, type Signal, signal } from '@preact/signals';

const prefix = 'lectern:';

/** What is kept under a name; undefined where there is nothing, or nothing that can be read. */
export function readStored(name: string): unknown {
  try {
    const text = localStorage.getItem(prefix + name);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    // A browser that keeps nothing (a private window, a frame of another site) has nothing to give.
    return undefined;
  }
}

/** Keeps a value, or nothing more under this name where it is undefined. Says whether the browser did. */
export function store(name: string, value: unknown): boolean {
  try {
    if (value === undefined) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Tells what another window of the same browser keeps under a name; undefined for nothing more. */
export function onStoredChange(listener: (name: string, value: unknown) => void): void {
  addEventListener('storage', ({ key, storageArea }) => {
    if (storageArea !== localStorage || !key?.startsWith(prefix)) return;
    const name = key.slice(prefix.length);
    listener(name, readStored(name));
  });
}

/** A signal whose value outlives the page; what `isValid` refuses is forgotten. */
export function storedSignal<T>(name: string, usual: T, isValid: (value: unknown) => value is T): Signal<T> {
  const found = readStored(name);
  const stored = signal(isValid(found) ? found : usual);
  effect(() => {
    store(name, stored.value === usual ? undefined : stored.value);
  });
  return stored;
}
