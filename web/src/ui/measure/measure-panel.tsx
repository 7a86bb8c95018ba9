/** */
import type { VNode } from 'preact';

export const MeasurePanel = (): VNode => <p />;
