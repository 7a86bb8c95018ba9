/** Where the reader is: the page's address as a place of the room, and the ways to go elsewhere. */
import { type ReadonlySignal, signal } from '@preact/signals';
import { formatRoute, parseRoute } from '../model/address.ts';
import type { Route } from '../model/routes.ts';

function placeHere(): Route {
  const base = new URL('./', document.baseURI).pathname;
  const { pathname, search, hash } = location;
  const path = pathname.startsWith(base) ? pathname.slice(base.length) : pathname.replace(/^\//, '');
  return parseRoute({ path, query: search.slice(1), fragment: hash.slice(1) });
}

const current = signal<Route>(placeHere());

let hasMoved = false;

/** Whether the reader has gone from one place to another since the page was loaded. */
export const hasGoneOn = (): boolean => hasMoved;

/** Where the reader is. */
export const place: ReadonlySignal<Route> = current;

/** The address of a place, from the base on. */
export const addressOfRoute = (to: Route): string => new URL(formatRoute(to), document.baseURI).href;

/** Goes to a place; the browser's way back leads here. */
export function goTo(to: Route): void {
  history.pushState(undefined, '', addressOfRoute(to));
  hasMoved = true;
  current.value = to;
}

/** The address says what is shown now, without a step for the way back, and without showing anything anew. */
export function rewriteAddress(to: Route): void {
  const address = addressOfRoute(to);
  if (address !== location.href) history.replaceState(undefined, '', address);
}

/** Goes to a place in this one's stead: the way back does not lead here. */
export function goToInstead(to: Route): void {
  rewriteAddress(to);
  current.value = to;
}

/** Follows the browser's ways back and forward. */
export function followHistory(): void {
  addEventListener('popstate', () => {
    hasMoved = true;
    current.value = placeHere();
  });
}

/** Whether a click on a link asks for another window, or something else that the browser does. */
export const isForBrowser = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button !== 0 || metaKey || ctrlKey || shiftKey || altKey;

/** Goes where a link leads, unless the reader wants it in another window. For the `onClick` of links to places. */
export function followLink(to: Route): (event: MouseEvent) => void {
  return (event) => {
    if (isForBrowser(event)) return;
    event.preventDefault();
    goTo(to);
  };
}
