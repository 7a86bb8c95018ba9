/** Languages as the formats of texts name them, and the one that most of a page has. */
import type { SourceBlock } from './page-text.ts';

/** Names that are no tags: those of PAGE's schema that its files mostly have, and of Tesseract's models. */
const named: Readonly<Record<string, string>> = {
  afrikaans: 'af',
  arabic: 'ar',
  bulgarian: 'bg',
  catalan: 'ca',
  chinese: 'zh',
  croatian: 'hr',
  czech: 'cs',
  danish: 'da',
  dutch: 'nl',
  english: 'en',
  estonian: 'et',
  finnish: 'fi',
  french: 'fr',
  german: 'de',
  greek: 'el',
  'modern greek (1453–)': 'el',
  hebrew: 'he',
  'modern hebrew': 'he',
  hungarian: 'hu',
  icelandic: 'is',
  irish: 'ga',
  italian: 'it',
  japanese: 'ja',
  korean: 'ko',
  latin: 'la',
  latvian: 'lv',
  lithuanian: 'lt',
  norwegian: 'no',
  polish: 'pl',
  portuguese: 'pt',
  romanian: 'ro',
  russian: 'ru',
  serbian: 'sr',
  slovak: 'sk',
  slovene: 'sl',
  slovenian: 'sl',
  spanish: 'es',
  swedish: 'sv',
  turkish: 'tr',
  ukrainian: 'uk',
  welsh: 'cy',
  yiddish: 'yi',
  frk: 'de',
  fraktur: 'de',
  deu_frak: 'de',
  deu_latf: 'de',
  chi_sim: 'zh-Hans',
  chi_tra: 'zh-Hant',
  jpn_vert: 'ja',
  'old english': 'ang',
  'ancient greek': 'grc',
  'high german': 'de',
  'standard german': 'de',
  'modern english': 'en',
};

/** The shortest BCP 47 tag for a language as a file names it (`deu`, `ger`, `German`); undefined where it is none. */
export function languageTag(name: string | undefined): string | undefined {
  const text = name?.trim().toLowerCase() ?? '';
  if (text === '' || text.length > 40) return undefined;
  const known = Object.hasOwn(named, text) ? named[text] : undefined;
  if (known !== undefined) return known;
  if (!/^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/.test(text)) return undefined;
  try {
    const [tag] = Intl.getCanonicalLocales(text.replaceAll('_', '-'));
    return tag === 'und' || tag === 'zxx' || tag === 'mul' ? undefined : tag;
  } catch {
    return undefined;
  }
}

/** The language of most words of a page; undefined where no language is given. */
export function mainLanguage(blocks: readonly SourceBlock[], ofPage: string | undefined): string | undefined {
  const counts = new Map<string, number>();
  for (const block of blocks) {
    for (const line of block.lines) {
      for (const word of line.words) {
        const language = word.language ?? line.language ?? block.language ?? ofPage;
        if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
      }
    }
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? ofPage;
}
