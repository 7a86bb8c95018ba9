/** The search field: changes the query in the route while the reader types. */
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { message } from '../../messages/message.ts';
import { type BrowseRoute, searchRoute } from '../../model/address/routes.ts';
import { goTo, replaceRoute } from '../../state/route.ts';
import { shortcutsOn } from '../../state/stored-preferences.ts';
import { fields, keyTarget } from '../common/key-target.ts';
import { SearchInput } from '../common/search-input.tsx';

/** Delay after the last letter before a search, in ms. */
const pauseMs = 250;

/** Only the beginning of a search adds an entry to the history of the browser. */
function searchFor(route: BrowseRoute, text: string): void {
  const search = text.trim();
  if (search === route.search) return;
  if (route.search === '') goTo(searchRoute(route.folder, search));
  else replaceRoute(searchRoute(route.folder, search));
}

/** The key `/` focuses the field. */
function useSearchKey(field: { readonly current: HTMLInputElement | null }): void {
  useEffect(() => {
    const focusByKey = (event: KeyboardEvent): void => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.key !== '/' || !isPlain || !shortcutsOn.value || keyTarget(event).closest(fields)) return;
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
  useSearchKey(field);
  return (
    <SearchInput
      field={field}
      name={message('search-names')}
      shortcut={shortcutsOn.value ? '/' : undefined}
      searched={route.search}
      pauseMs={pauseMs}
      onSearch={(text) => searchFor(route, text)}
    />
  );
}
