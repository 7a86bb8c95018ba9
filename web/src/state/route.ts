/** The current page and the address: the address is an effect of the page and the view, and is read at navigations only. */
import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { formatRoute, parseRoute } from '../model/address/address.ts';
import {
  type BrowseRoute,
  type CompareRoute,
  compareRoute,
  type DeskRoute,
  type LightTableRoute,
  type Route,
  type TableRoute,
  type ViewRoute,
  viewRoute,
} from '../model/address/routes.ts';
import { comparisonNow, setComparison, setViews, view } from './view.ts';

/** A route without its views and their arrangement, which are state of their own. */
type Page =
  | DeskRoute
  | LightTableRoute
  | BrowseRoute
  | TableRoute
  | Omit<ViewRoute, 'state'>
  | Omit<CompareRoute, 'comparison'>;

/** How a navigation gets into the history of the browser: as a new entry, as the current one, or it came from there. */
type Navigation = 'push' | 'replace' | 'read';

/** Delay after the last change of the view until the address is rewritten, in ms: browsers limit how often it may be. */
const pauseMs = 250;

function readAddress(): Route {
  const base = new URL('./', document.baseURI).pathname;
  const { pathname, search, hash } = location;
  const path = pathname.startsWith(base) ? pathname.slice(base.length) : pathname.replace(/^\//, '');
  return parseRoute({ path, query: search.slice(1), fragment: hash.slice(1) });
}

/** Shows the views of a route and returns its page; a new object, so that each navigation is a change. */
function enter(route: Route): Page {
  if (route.kind === 'compare') {
    setComparison(route.comparison);
    return { kind: 'compare' };
  }
  if (route.kind !== 'view') return { ...route };
  setViews([route.state]);
  return { kind: 'view', embedded: route.embedded };
}

const current = signal<Page>(enter(readAddress()));

/** The current page; it changes once with each navigation, and not with the view. */
export const page: ReadonlySignal<Page> = current;

const route = computed<Route>(() => {
  const now = current.value;
  if (now.kind === 'compare') return compareRoute(comparisonNow());
  return now.kind === 'view' ? viewRoute(view.value, now.embedded) : now;
});

export const addressOfRoute = (to: Route): string => new URL(formatRoute(to), document.baseURI).href;

/** The navigation whose effect on the address is still to come. */
let navigation: Navigation | undefined = 'read';
let waiting: ReturnType<typeof setTimeout> | undefined;

function writeAddress(how: 'push' | 'replace'): void {
  waiting = undefined;
  const now = route.peek();
  // The fragment of an embedded viewer has the options of the page around it.
  const address = addressOfRoute(now) + (now.kind === 'view' && now.embedded ? location.hash : '');
  if (how === 'push') history.pushState(undefined, '', address);
  else if (address !== location.href) history.replaceState(undefined, '', address);
}

effect(() => {
  route.value;
  clearTimeout(waiting);
  waiting = undefined;
  const how = navigation;
  navigation = undefined;
  if (how === undefined) waiting = setTimeout(writeAddress, pauseMs, 'replace');
  else if (how !== 'read') writeAddress(how);
});

/** Writes a change of the view into the address without waiting for the pause. */
export function flushAddress(): void {
  if (waiting === undefined) return;
  clearTimeout(waiting);
  writeAddress('replace');
}

function navigate(to: Route, how: Navigation): void {
  navigation = how;
  batch(() => {
    current.value = enter(to);
  });
}

let navigated = false;

export const hasNavigated = (): boolean => navigated;

/** Goes to a route, with a new entry of the history. */
export function goTo(to: Route): void {
  flushAddress();
  navigated = true;
  navigate(to, 'push');
}

/** Goes to a route in place of the current entry of the history. */
export const replaceRoute = (to: Route): void => navigate(to, 'replace');

/** Writes a change of what the page shows into the address, after the pause; it is no navigation. */
export function changeRoute(to: LightTableRoute): void {
  current.value = to;
}

export function followHistory(): void {
  addEventListener('popstate', () => {
    navigated = true;
    navigate(readAddress(), 'read');
  });
}

/** For the `onClick` of links: acts in place of the browser, except on clicks that ask for another window. */
export const onPlainClick =
  (act: () => void) =>
  (event: MouseEvent): void => {
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
    if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    event.preventDefault();
    act();
  };

/** For the `onClick` of links: goes to the route without loading the document again. */
export const followLink = (to: Route): ((event: MouseEvent) => void) => onPlainClick(() => goTo(to));

interface LastOpened {
  readonly folder: string;
  readonly path: string;
}

let last: LastOpened | undefined;

export function setLastOpened(folder: string, path: string): void {
  last = { folder, path };
}

/** The page of this folder that was open last; only the first call returns it. */
export function takeLastOpened(folder: string): string | undefined {
  if (last?.folder !== folder) return undefined;
  const { path } = last;
  last = undefined;
  return path;
}
