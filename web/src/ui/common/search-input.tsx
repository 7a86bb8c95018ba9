/** A search field, which searches while the reader types. */
import { useSignal } from '@preact/signals';
import { Search, X } from 'lucide';
import type { RefObject, VNode } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { message } from '../../messages/messages.ts';
import { Icon, IconButton } from './button.tsx';

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

export function SearchInput(props: SearchInputProps): VNode {
  const { field, name, shortcut, searched, pauseMs, onSearch, onEnter = onSearch } = props;
  const text = useSignal(searched);
  // Within the same task as the rendering: a later effect would undo what was typed into the field before it ran.
  useLayoutEffect(() => {
    // Typing has already changed the field.
    if (text.peek().trim() !== searched) text.value = searched;
  }, [searched]);
  useEffect(() => {
    const timer = setTimeout(() => onSearch(text.value), pauseMs);
    return () => clearTimeout(timer);
  }, [text.value]);
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
