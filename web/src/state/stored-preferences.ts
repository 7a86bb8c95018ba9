/** Values in the browser’s own storage, for this server alone: first of all the reader’s preferences. */
import { effect, type Signal, signal, untracked } from '@preact/signals';
import { type Language, languageOf, languages } from '../messages/messages.ts';
import { showLanguage } from './shown-language.ts';

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

/** The names under which values are stored. */
export function storedNames(): readonly string[] {
  try {
    return Object.keys(localStorage).flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
  } catch {
    return [];
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

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const isTheme = (value: unknown): value is Theme => themes.some((theme) => theme === value);
const isLanguageChoice = (value: unknown): value is Language | 'system' =>
  value === 'system' || (typeof value === 'string' && Object.hasOwn(languages, value));
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isDensity = (value: unknown): value is number => typeof value === 'number' && value >= 20 && value <= 2000;

export const theme = storedSignal<Theme>('theme', 'system', isTheme);
export const languageChoice = storedSignal<Language | 'system'>('language', 'system', isLanguageChoice);
/** Whether single keys are shortcuts, which must be possible to turn off (WCAG 2.1.4). */
export const shortcutsOn = storedSignal<boolean>('shortcuts', true, isBoolean);
/** CSS pixels per inch of this display, as calibrated by the reader; 0 before that. */
export const displayDensity = storedSignal<number>('display-density', 0, isDensity);
/** Whether thumbnails of the folder are shown below an image; not on small screens at first. */
export const filmstripOn = storedSignal<boolean>(
  'filmstrip',
  !matchMedia('(max-width: 44rem), (max-height: 30rem)').matches,
  isBoolean,
);

export const toggleFilmstrip = (): void => {
  filmstripOn.value = !filmstripOn.peek();
};

/** Applies theme and language to the page now and whenever they change; a promise where the texts of the language have to be loaded first. */
export function applyPreferences(): Promise<void> | undefined {
  let loading: Promise<void> | undefined;
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value;
  });
  effect(() => {
    const chosen = languageChoice.value === 'system' ? languageOf(navigator.languages) : languageChoice.value;
    loading = untracked(() => showLanguage(chosen));
  });
  return loading;
}
