/** The end of the pages of the library: what the site says there, and its links, such as the imprint. */
import type { VNode } from 'preact';
import { type LanguageMap, textFor } from '../../../../src/core/image/folder/folder-metadata.ts';
import { pageSettings } from '../../data/page-settings.ts';
import { language } from '../../messages/messages.ts';

const inLanguage = (text: LanguageMap): string => textFor(text, [language.value]).join(' ');

/** Nothing where the settings have no links. */
export const SiteLinks = (): VNode | null =>
  pageSettings.footer.links.length === 0 ? null : (
    <ul class="site-links">
      {pageSettings.footer.links.map(({ label, address }) => (
        <li key={address}>
          <a href={address} rel="noopener">
            {inLanguage(label)}
          </a>
        </li>
      ))}
    </ul>
  );

export function SiteFooter(): VNode | null {
  const text = inLanguage(pageSettings.footer.text);
  if (text === '' && pageSettings.footer.links.length === 0) return null;
  return (
    <footer class="site-footer">
      {text !== '' && <p>{text}</p>}
      <SiteLinks />
    </footer>
  );
}
