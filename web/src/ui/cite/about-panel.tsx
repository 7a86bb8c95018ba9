/** */
import type { VNode } from 'preact';

export const AboutPanel = (): VNode => <p />;
