/// <reference types="vite/client" />
/** Finds the files of translations; loaded only for readers of such a language. */
import type { Translations } from './translations.ts';

const files = import.meta.glob<Translations>('./translations/*.json', { import: 'default' });

/** Rejects where the file can't be loaded. */
export async function loadTranslations(tag: string): Promise<Translations> {
  const load = files[`./translations/${tag}.json`];
  if (load === undefined) throw new Error(`There is no translation ${tag}.`);
  return load();
}
