/**
 * Opens what was dropped: beside the others in a comparison that has a place left, on the light table that is open, in place of
 * the page elsewhere.
 */
import { message } from '../../messages/messages.ts';
import '../../messages/panel-messages.ts';
import { maxCompared, withImage, withOtherImage } from '../../model/address/comparison.ts';
import { compareRoute, type Route } from '../../model/address/routes.ts';
import { plainView } from '../../model/view-state.ts';
import { goTo, page } from '../../state/route.ts';
import { active, comparisonNow, flushViewport } from '../../state/view.ts';
import { droppedRoute } from './dropped-route.ts';

/** How long it is said that nothing could be opened, in ms. */
const saidMs = 5000;

function say(text: string): void {
  const said = document.createElement('p');
  said.className = 'drop-fault floating';
  said.role = 'status';
  document.body.append(said);
  // After it is there, so that screen readers announce it.
  requestAnimationFrame(() => {
    said.textContent = text;
  });
  setTimeout(() => said.remove(), saidMs);
}

function open(route: Route): void {
  flushViewport();
  if (page.peek().kind === 'light-table' && route.kind === 'view') {
    const { fn: path, region, mode } = route.state;
    const isWhole = mode !== 'fit' || (region.width >= 1 && region.height >= 1);
    void import('../../state/light-table/add-to-table.ts').then(({ addToTable }) =>
      addToTable([{ path, region: isWhole ? null : region }]),
    );
    return;
  }
  if (page.peek().kind !== 'compare' || route.kind !== 'view') {
    goTo(route);
    return;
  }
  const now = comparisonNow();
  const { fn } = route.state;
  const isFull = now.views.length >= maxCompared;
  goTo(
    compareRoute(
      isFull ? withOtherImage(now, active.peek(), fn) : withImage(now, { ...plainView(fn), ...route.state }),
    ),
  );
}

/** `texts` are the forms in which it was dropped, the clearest first. */
export function openDropped(texts: readonly string[]): void {
  const route = texts.map((text) => droppedRoute(text, document.baseURI)).find((found) => found !== undefined);
  if (route === undefined) say(message('drop-unknown'));
  else open(route);
}
