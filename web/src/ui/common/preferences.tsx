/** The reader's preferences: colors, language and shortcuts. */
import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { languages, languageTags } from '../../messages/messages.ts';
import { languageChoice, shortcutsOn, theme } from '../../state/stored-preferences.ts';

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
