/** The element `<lectern-viewer>`: Lectern's viewer inside of any page, in a frame that scripts can speak with. */
import { ViewerElement } from './viewer-element.ts';

if (customElements.get('lectern-viewer') === undefined) customElements.define('lectern-viewer', ViewerElement);
