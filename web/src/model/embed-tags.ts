/** HTML snippets that embed the viewer in other pages. */
import { escapeAttribute } from './citation.ts';

export const frameTag = (address: string, title: string): string =>
  `<iframe src="${escapeAttribute(address)}" title="${escapeAttribute(title)}" width="100%" height="600" allow="fullscreen; clipboard-write"></iframe>`;

/** The viewer as a custom element, which scripts can control; `script` is the address of the element's module. */
export const elementTag = (address: string, script: string, title: string): string =>
  `<script type="module" src="${escapeAttribute(script)}"></script>
<lectern-viewer src="${escapeAttribute(address)}" title="${escapeAttribute(title)}"></lectern-viewer>`;
