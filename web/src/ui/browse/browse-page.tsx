/** A folder of the library: what lies in it, and what is said of it. */
import type { VNode } from 'preact';
import type { RoomPlace } from '../../model/view-state.ts';

export const BrowsePage = ({ place }: { readonly place: Extract<RoomPlace, { kind: 'browse' }> }): VNode => (
  <main id="content">{place.folder}</main>
);
