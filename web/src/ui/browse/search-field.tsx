/** The search field: changes the query in the route while the reader types. */
import { useSignal } from '@preact/signals';
import { Search, X } from 'lucide';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { type BrowseRoute, searchRoute } from '../../model/routes.ts';
import { shortcutsOn } from '../../state/preferences.ts';
import { goTo, replaceRoute } from '../../state/route.ts';
import { IconButton } from '../common/button.tsx';
import { Icon } from '../common/icon.tsx';

/** Delay after the last letter before a search, in ms. */
const pauseMs = 250;

/** Only the beginning of a search adds an entry to the history of the browser. */
function searchFor(route: BrowseRoute, text: string): void {
  const search = text.trim();
  if (search === route.search) return;
  if (route.search === '') goTo(searchRoute(route.folder, search));
  else replaceRoute(searchRoute(route.folder, search));
}

const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable);

/** The key `/` focuses the field. */
function useSearchKey(field: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const focusByKey = (event: KeyboardEvent): void => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.key !== '/' || !isPlain || !shortcutsOn.value || isTextField(event.target)) return;
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', focusByKey);
    return () => removeEventListener('keydown', focusByKey);
  }, []);
}

export function SearchField({ route }: { readonly route: BrowseRoute }): VNode {
  const field = useRef<HTMLInputElement>(null);
  const text = useSignal(route.search);
  useSearchKey(field);
  useEffect(() => {
    // Links and the back button change the query; typing has already changed the field.
    if (text.peek().trim() !== route.search) text.value = route.search;
  }, [route.folder, route.search]);
  useEffect(() => {
    const timer = setTimeout(() => searchFor(route, text.value), pauseMs);
    return () => clearTimeout(timer);
  }, [text.value]);
  const clear = (): void => {
    text.value = '';
    searchFor(route, '');
    field.current?.focus();
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    searchFor(route, text.value);
  };
  return (
    <search>
      <form class="search-field" onSubmit={submit}>
        <Icon of={Search} size={17} />
        <input
          ref={field}
          type="text"
          inputMode="search"
          enterKeyHint="search"
          autoComplete="off"
          spellcheck={false}
          aria-label={message('search-names')}
          aria-keyshortcuts={shortcutsOn.value ? '/' : undefined}
          placeholder={message('search-names')}
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
