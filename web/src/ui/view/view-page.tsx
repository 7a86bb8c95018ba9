/** An image with the tools around it. */
import type { VNode } from 'preact';
import type { ViewState } from '../../model/view-state.ts';

export interface ViewPageProps {
  readonly state: ViewState;
  readonly embedded: boolean;
}

export const ViewPage = ({ state }: ViewPageProps): VNode => <main id="content">{state.fn}</main>;
