/** The header of the library’s pages: the wordmark, the page’s own tools, and the preferences. */
import { LampDesk, Settings2 } from 'lucide';
import type { ComponentChildren, VNode } from 'preact';
import { useId } from 'preact/hooks';
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

function LanguageChoice(): VNode {
  const id = useId();
  return (
    <div class="language-choice">
      <label for={id}>{message('language-choice')}</label>
      <select
        id={id}
        value={languageChoice.value}
        onChange={({ currentTarget }) => {
          languageChoice.value = currentTarget.value as keyof typeof languages | 'system';
        }}
      >
        <option value="system">{message('language-system')}</option>
        {languageTags.map((tag) => (
          <option key={tag} value={tag} lang={tag}>
            {languages[tag]}
          </option>
        ))}
      </select>
    </div>
  );
}

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
    <LanguageChoice />
    <CheckBox class="apart" chosen={shortcutsOn} text={message('shortcuts-choice')} />
  </>
);
