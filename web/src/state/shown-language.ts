/** Changes the language of the page, whose texts are loaded where they are no part of the program. */
import { batch } from '@preact/signals';
import { isWritten, type Language, language } from '../messages/messages.ts';
import { type Translations, translations } from '../messages/translations.ts';

/** The language that was asked for last. */
let wanted: Language = language.peek();

function show(tag: Language, texts: Translations): void {
  batch(() => {
    translations.value = texts;
    language.value = tag;
  });
  document.documentElement.lang = tag;
}

async function loadAndShow(tag: Language): Promise<void> {
  try {
    const { loadTranslations } = await import('../messages/load-translations.ts');
    const texts = await loadTranslations(tag);
    if (wanted === tag) show(tag, texts);
  } catch {
    // The page stays in the language that it has, until the reader comes again or chooses another one.
    if (wanted === tag) wanted = language.peek();
  }
}

/** Shows the page in a language; a promise where its texts have to be loaded, which never rejects. */
export function showLanguage(tag: Language): Promise<void> | undefined {
  wanted = tag;
  if (!isWritten(tag)) return loadAndShow(tag);
  show(tag, {});
  return undefined;
}
