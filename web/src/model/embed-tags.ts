/** Pieces of HTML that show the viewer inside of other pages. */
import { escapeAttribute } from './citation.ts';

/** The viewer in a frame. */
export const frameTag = (address: string, title: string): string =>
  `<iframe src="${escapeAttribute(address)}" title="${escapeAttribute(title)}" width="100%" height="600" allow="fullscreen; clipboard-write"></iframe>`;

/** The viewer as an element that scripts can speak with; `script` is the address of the element's module. */
export const elementTag = (address: string, script: string, title: string): string =>
  `<script type="module" src="${escapeAttribute(script)}"></script>
<lectern-viewer src="${escapeAttribute(address)}" title="${escapeAttribute(title)}"></lectern-viewer>`;
