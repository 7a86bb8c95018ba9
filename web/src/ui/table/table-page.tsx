/** A folder's images on a light table: all at a glance, to choose from. */
import type { VNode } from 'preact';
import type { RoomPlace } from '../../model/view-state.ts';

export const TablePage = ({ place }: { readonly place: Extract<RoomPlace, { kind: 'table' }> }): VNode => (
  <main id="content">{place.folder}</main>
);
