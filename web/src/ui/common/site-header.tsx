/** The header of the library’s pages: the wordmark, the page’s own tools, and the preferences. */
import type { Signal } from '@preact/signals';
import { Settings2 } from 'lucide';
import type { ComponentChildren, VNode } from 'preact';
import { useId } from 'preact/hooks';
import { pageSettings } from '../../data/page-settings.ts';
import { languages, languageTags, message } from '../../messages/messages.ts';
import { folderRoute } from '../../model/address/routes.ts';
import { languageChoice, shortcutsOn, theme } from '../../state/stored-preferences.ts';
import { RouteLink } from './button.tsx';
import { DropDown } from './dialog.tsx';
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

export const SiteHeader = ({ children }: { readonly children?: ComponentChildren }): VNode => (
  <header class="site-header row">
    <Wordmark />
    {children}
    <DropDown icon={Settings2} name={message('main-menu')}>
      <Preferences />
    </DropDown>
  </header>
);

interface ChoiceProps<T extends string> {
  readonly title: string;
  readonly chosen: Signal<T>;
  readonly choices: readonly (readonly [value: T, text: string, lang?: string])[];
}

function Choice<T extends string>({ title, chosen, choices }: ChoiceProps<T>): VNode {
  const group = useId();
  return (
    <fieldset>
      <legend>{title}</legend>
      {choices.map(([value, text, lang]) => (
        <label key={value} lang={lang}>
          <input
            type="radio"
            name={group}
            checked={chosen.value === value}
            onChange={() => {
              chosen.value = value;
            }}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

export const Preferences = (): VNode => (
  <>
    <Choice
      title={message('theme-choice')}
      chosen={theme}
      choices={[
        ['system', message('theme-system')],
        ['light', message('theme-light')],
        ['dark', message('theme-dark')],
      ]}
    />
    <Choice
      title={message('language-choice')}
      chosen={languageChoice}
      choices={[
        ['system', message('language-system')],
        ...languageTags.map((tag) => [tag, languages[tag], tag] as const),
      ]}
    />
    <label class="apart">
      <input
        type="checkbox"
        checked={shortcutsOn.value}
        onChange={({ currentTarget }) => {
          shortcutsOn.value = currentTarget.checked;
        }}
      />
      {message('shortcuts-choice')}
    </label>
  </>
);
