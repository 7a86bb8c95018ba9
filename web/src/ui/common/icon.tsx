/** An icon of Lucide, hidden from screen readers: the button around it has a name. */
import type { IconNode } from 'lucide';
import { h, type VNode } from 'preact';

export const Icon = ({ of, size = 20 }: { readonly of: IconNode; readonly size?: number }): VNode => (
  <svg
    class="icon"
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.75"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    {of.map(([tag, attributes]) => h(tag, attributes))}
  </svg>
);
