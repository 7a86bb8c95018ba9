/** A link to a place of the reading room: with a real address, and without loading the page anew. */
import type { ComponentChildren, VNode } from 'preact';
import type { RoomPlace } from '../../model/view-state.ts';
import { addressOfPlace, followLink } from '../../state/route.ts';

interface PlaceLinkProps {
  readonly to: RoomPlace;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly 'aria-current'?: 'page' | 'true' | undefined;
  readonly 'aria-label'?: string;
  readonly rel?: string;
}

export const PlaceLink = ({ to, children, ...rest }: PlaceLinkProps): VNode => (
  <a href={addressOfPlace(to)} onClick={followLink(to)} {...rest}>
    {children}
  </a>
);
