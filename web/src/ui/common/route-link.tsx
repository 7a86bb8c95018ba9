/** A link to a route of the reading room: with a real address, but without loading the document again. */
import type { ComponentChildren, VNode } from 'preact';
import type { Route } from '../../model/address/routes.ts';
import { addressOfRoute, followLink } from '../../state/route.ts';

interface RouteLinkProps {
  readonly to: Route;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly 'aria-current'?: 'page' | 'true' | undefined;
  readonly 'aria-label'?: string;
  readonly rel?: string;
  readonly title?: string;
}

export const RouteLink = ({ to, children, ...rest }: RouteLinkProps): VNode => (
  <a href={addressOfRoute(to)} onClick={followLink(to)} {...rest}>
    {children}
  </a>
);
