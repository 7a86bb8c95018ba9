/** The caption of a printed page: the label of the image and the address of the view. */
import type { VNode } from 'preact';
import { viewRoute } from '../../model/address/routes.ts';
import { openedNow } from '../../state/opened.ts';
import { addressOfRoute } from '../../state/route.ts';
import { namedView } from '../../state/viewport.ts';

export function SourceNote(): VNode | null {
  const opened = openedNow();
  if (opened === undefined) return null;
  const { folder, card } = opened;
  return (
    <p class="source-note print-only">
      {[folder.title, card.label].filter((text) => text !== '').join(', ')}
      <br />
      {addressOfRoute(viewRoute(namedView.value))}
    </p>
  );
}
