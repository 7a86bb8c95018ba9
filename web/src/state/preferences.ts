/** The reader's preferences, stored by the browser. */
import { effect } from '@preact/signals';
import { language, languageOf } from '../messages/message.ts';
import { type Language, languages } from '../messages/messages.ts';
import { storedSignal } from './stored.ts';

const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

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

/** Applies theme and language to the page now and whenever they change. */
export function applyPreferences(): void {
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value;
  });
  effect(() => {
    language.value = languageChoice.value === 'system' ? languageOf(navigator.languages) : languageChoice.value;
    document.documentElement.lang = language.value;
  });
}
