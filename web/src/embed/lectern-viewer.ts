/** Defines the custom element `<lectern-viewer>`, which embeds the viewer in any page. */
import { ViewerElement } from './viewer-element.ts';

if (customElements.get('lectern-viewer') === undefined) customElements.define('lectern-viewer', ViewerElement);
