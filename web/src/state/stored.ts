/** Values in the browser's own storage, for this server alone. */
import { effect, type Signal, signal } from '@preact/signals';

const prefix = 'lectern:';

/** The value stored under a name; undefined where there is none, or none that can be read. */
export function readStored(name: string): unknown {
  try {
    const text = localStorage.getItem(prefix + name);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    // Private windows and frames of other sites may refuse storage.
    return undefined;
  }
}

/** Stores a value, or removes it where it is undefined. Returns whether the browser allowed it. */
export function store(name: string, value: unknown): boolean {
  try {
    if (value === undefined) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Calls the listener when another window of the same browser stores a value; undefined means that it was removed. */
export function onStoredChange(listener: (name: string, value: unknown) => void): void {
  addEventListener('storage', ({ key, storageArea }) => {
    if (storageArea !== localStorage || !key?.startsWith(prefix)) return;
    const name = key.slice(prefix.length);
    listener(name, readStored(name));
  });
}

/** A signal whose value is stored; a stored value that is not valid is ignored. */
export function storedSignal<T>(name: string, fallback: T, isValid: (value: unknown) => value is T): Signal<T> {
  const value = readStored(name);
  const stored = signal(isValid(value) ? value : fallback);
  effect(() => {
    store(name, stored.value === fallback ? undefined : stored.value);
  });
  return stored;
}
