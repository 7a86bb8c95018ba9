/** Fields: check boxes, choices, addresses, and searches. */
import { type Signal, useSignal } from '@preact/signals';
import { Search, X } from 'lucide';
import type { RefObject, VNode } from 'preact';
import { useId, useLayoutEffect } from 'preact/hooks';
import { message } from '../../messages/messages.ts';
import { Icon, IconButton } from './button.tsx';
import { useAfterPause } from './elements.ts';

interface CheckBoxProps {
  readonly chosen: Signal<boolean>;
  readonly text: string;
  readonly class?: string;
}

export const CheckBox = ({ chosen, text, class: name = 'choice row' }: CheckBoxProps): VNode => (
  <label class={name}>
    <input
      type="checkbox"
      checked={chosen.value}
      onChange={({ currentTarget }) => {
        chosen.value = currentTarget.checked;
      }}
    />
    {text}
  </label>
);

interface ChoicesProps<T extends string | number> {
  readonly legend: string;
  readonly choices: readonly (readonly [value: T, text: string, lang?: string])[];
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
  /** Where the choices stand beside each other as segments. */
  readonly class?: 'choices' | 'segments';
}

/** One of a few values, with radio buttons. */
export function Choices<T extends string | number>(props: ChoicesProps<T>): VNode {
  const { legend, choices, chosen, onChoose, class: name = 'choices' } = props;
  const group = useId();
  return (
    <fieldset class={name}>
      <legend>{legend}</legend>
      {choices.map(([value, text, lang]) => (
        <label key={value} class={name === 'choices' ? 'choice row' : undefined} lang={lang}>
          <input type="radio" name={group} checked={chosen === value} onChange={() => onChoose(value)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface AddressFieldProps {
  readonly label: string;
  readonly button: string;
  /** Whether only addresses of the web are taken. */
  readonly isUrl?: boolean;
  /** The path that a typed address means; undefined for none. */
  readonly pathOf: (typed: string) => string | undefined;
  /** What is said of an address that means no path. */
  readonly fault: string;
  readonly onPath: (path: string) => void;
}

/** A field for an address that is typed or pasted. */
export function AddressField({ label, button, isUrl = false, pathOf, fault, onPath }: AddressFieldProps): VNode {
  const id = useId();
  const typed = useSignal('');
  const isFault = useSignal(false);
  return (
    <form
      class="address-field row wrap"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const path = pathOf(typed.peek());
        if (path === undefined) isFault.value = true;
        else onPath(path);
      }}
    >
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        inputMode={isUrl ? 'url' : 'text'}
        autocomplete="off"
        placeholder={isUrl ? 'https://' : undefined}
        aria-describedby={`${id}-fault`}
        aria-invalid={isFault.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          isFault.value = false;
        }}
      />
      <button type="submit" class="button">
        {button}
      </button>
      <p id={`${id}-fault`} role="status">
        {isFault.value && fault}
      </p>
    </form>
  );
}

interface SearchInputProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly name: string;
  /** The key that focuses the field; absent where there is none. */
  readonly shortcut?: string | undefined;
  /** What is searched for now; links and the browser's history change it too. */
  readonly searched: string;
  /** The delay after the last letter before a search, in ms. */
  readonly pauseMs: number;
  readonly onSearch: (text: string) => void;
  /** What Enter does, if not a search. */
  readonly onEnter?: (text: string) => void;
}

/** Searches while the reader types. */
export function SearchInput(props: SearchInputProps): VNode {
  const { field, name, shortcut, searched, pauseMs, onSearch, onEnter = onSearch } = props;
  const text = useSignal(searched);
  // Within the same task as the rendering: a later effect would undo what was typed into the field before it ran.
  useLayoutEffect(() => {
    // Typing has already changed the field.
    if (text.peek().trim() !== searched) text.value = searched;
  }, [searched]);
  useAfterPause(() => onSearch(text.value), pauseMs, [text.value]);
  const clear = (): void => {
    text.value = '';
    onSearch('');
    field.current?.focus();
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    onEnter(text.value);
  };
  return (
    <search>
      <form class="search-field row" onSubmit={submit}>
        <Icon of={Search} size={17} />
        <input
          ref={field}
          type="text"
          inputMode="search"
          enterKeyHint="search"
          autoComplete="off"
          spellcheck={false}
          aria-label={name}
          aria-keyshortcuts={shortcut}
          placeholder={name}
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
        {text.value !== '' && <IconButton icon={X} name={message('clear-search')} onClick={clear} />}
      </form>
    </search>
  );
}
