/** */
import type { VNode } from 'preact';

export const CitePanel = (): VNode => <p />;
