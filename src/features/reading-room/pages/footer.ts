/** The end of the pages of the library: a text of the site, and its links, such as the imprint. */
import { type LanguageMap, textFor } from '../../../core/image/folder/folder-metadata.ts';
import { element, type Markup, textMarkup } from '../../../core/parsing/markup.ts';
import type { ReadingRoomSettings } from '../reading-room-settings.ts';

/** In the languages of the settings; the text is empty where there is none. */
export interface SiteFooter {
  readonly text: LanguageMap;
  readonly links: readonly { readonly label: LanguageMap; readonly address: string }[];
}

type FooterSettings = ReadingRoomSettings['readingRoom']['footer'];

function languageMapOf(text: FooterSettings['text']): LanguageMap {
  if (text === undefined) return {};
  if (typeof text === 'string') return { none: [text] };
  return Object.fromEntries(Object.entries(text).flatMap(([tag, value]) => (value ? [[tag, [value]]] : [])));
}

export const footerOf = ({ text, links }: FooterSettings): SiteFooter => ({
  text: languageMapOf(text),
  links: links.map(({ label, address }) => ({ label: languageMapOf(label), address })),
});

/** The same for readers without scripts. */
export function footerMarkup({ text, links }: SiteFooter, language: string): readonly Markup[] {
  const said = textFor(text, [language]).join(' ');
  const items = links.map(({ label, address }) =>
    element(
      'li',
      {},
      element('a', { href: address, rel: 'noopener' }, textMarkup(textFor(label, [language]).join(' '))),
    ),
  );
  return [
    ...(said === '' ? [] : [element('p', {}, textMarkup(said))]),
    ...(items.length === 0 ? [] : [element('ul', { class: 'plain-links' }, ...items)]),
  ];
}
