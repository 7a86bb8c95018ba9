/** The header of the library’s pages: the wordmark, the page’s own tools, and the preferences. */
import { LampDesk, Settings2 } from 'lucide';
import type { ComponentChildren, VNode } from 'preact';
import { pageSettings } from '../../data/page-settings.ts';
import { languages, languageTags, message } from '../../messages/messages.ts';
import { deskRoute, folderRoute } from '../../model/address/routes.ts';
import { languageChoice, shortcutsOn, theme } from '../../state/stored-preferences.ts';
import { Account } from './account.tsx';
import { Icon, RouteLink } from './button.tsx';
import { DropDown } from './dialog.tsx';
import { CheckBox, Choices } from './fields.tsx';
import { siteName } from './picture.tsx';

const Mark = (): VNode => (
  <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <path d="M4 8 L28 4 V18 L4 22 Z" fill="currentColor" />
    <path d="M16 20 V27 M9 28 H23" stroke="currentColor" stroke-width="3" stroke-linecap="round" />
  </svg>
);

const Wordmark = (): VNode => (
  <RouteLink class="wordmark" to={folderRoute('')}>
    {pageSettings.logo === null ? <Mark /> : <img src={pageSettings.logo} alt="" />}
    <span class="clamp">{siteName()}</span>
  </RouteLink>
);

export const DeskLink = (): VNode => (
  <RouteLink class="icon-button" to={deskRoute()} aria-label={message('desk')} title={message('desk')}>
    <Icon of={LampDesk} />
  </RouteLink>
);

export const SiteHeader = ({ children }: { readonly children?: ComponentChildren }): VNode => (
  <header class="site-header row">
    <Wordmark />
    {children}
    <DeskLink />
    <Account />
    <DropDown icon={Settings2} name={message('main-menu')}>
      <Preferences />
    </DropDown>
  </header>
);

export const Preferences = (): VNode => (
  <>
    <Choices
      legend={message('theme-choice')}
      chosen={theme.value}
      onChoose={(value) => {
        theme.value = value;
      }}
      choices={[
        ['system', message('theme-system')],
        ['light', message('theme-light')],
        ['dark', message('theme-dark')],
      ]}
    />
    <Choices
      legend={message('language-choice')}
      chosen={languageChoice.value}
      onChoose={(value) => {
        languageChoice.value = value;
      }}
      choices={[
        ['system', message('language-system')],
        ...languageTags.map((tag) => [tag, languages[tag], tag] as const),
      ]}
    />
    <CheckBox class="apart" chosen={shortcutsOn} text={message('shortcuts-choice')} />
  </>
);
