/** The IIIF icon, which can be dragged to another viewer: the query of its link has the manifest and the canvas. */
import type { VNode } from 'preact';
import { message } from '../../messages/messages.ts';
import '../../messages/panel-messages.ts';
import { isForeign } from '../../model/address/address-text.ts';
import { viewRoute } from '../../model/address/routes.ts';
import { plainView } from '../../model/view-state.ts';
import { addressOfRoute, followLink } from '../../state/route.ts';
import type { ManifestLink, OpenSubject } from './addresses.ts';

/** The strokes of the IIIF logo by color, in its own coordinates. */
const strokes = {
  '#2873ab': [
    'M65.2422 2178.75 775.242 1915 773.992 15 65.2422 276.25v1902.5',
    'M804.145 2640.09c81.441-240.91-26.473-436.2-241.04-436.2-214.558 0-454.511 195.29-535.9527 436.2-81.4335 240.89 26.4805 436.18 241.0387 436.18 214.567 0 454.512-195.29 535.954-436.18',
    'M1860.24 2178.75l710-263.75-1.25-1900-708.75 261.25v1902.5',
    'M2603.74 2640.09c81.45-240.91-26.47-436.2-241.03-436.2-214.58 0-454.52 195.29-535.96 436.2-81.44 240.89 26.48 436.18 241.03 436.18 214.57 0 454.51-195.29 535.96-436.18',
  ],
  '#ed1d33': [
    'M1678.58 2178.75 968.578 1915 969.828 15 1678.58 276.25v1902.5',
    'M935.082 2640.09c-81.437-240.91 26.477-436.2 241.038-436.2 214.56 0 454.51 195.29 535.96 436.2 81.43 240.89-26.48 436.18-241.04 436.18-214.57 0-454.52-195.29-535.958-436.18',
    'M3700.24 3310v-652.5c0 0-230 90-257.5-142.5-2.5-247.5 0-336.25 0-336.25l257.5 83.75V1690l-258.61-92.5V262.5L2735.24 0v2360c0 0-15 850 965 950',
  ],
};

const Logo = (): VNode => (
  <svg width="44" height="40" viewBox="0 0 493.36 441.33" aria-hidden="true" focusable="false">
    <g transform="matrix(.13333333 0 0 -.13333333 0 441.33)">
      {Object.entries(strokes).map(([color, paths]) => (
        <path key={color} fill={color} d={paths.join('')} />
      ))}
    </g>
  </svg>
);

interface DragIconProps {
  readonly subject: OpenSubject;
  readonly manifest: ManifestLink;
}

export function DragIcon({ subject, manifest }: DragIconProps): VNode {
  const state = { ...plainView(subject.path), unknown: isForeign(subject.path) ? [] : Object.entries(manifest) };
  const route = viewRoute(state);
  const address = addressOfRoute(route);
  const drag = ({ dataTransfer }: DragEvent): void => {
    dataTransfer?.setData('text/uri-list', address);
    dataTransfer?.setData('text/plain', address);
  };
  return (
    <div class="drag-icon row">
      <a
        href={address}
        draggable
        aria-label={message('drag-to-viewer')}
        title={message('drag-to-viewer')}
        onDragStart={drag}
        onClick={followLink(route)}
      >
        <Logo />
      </a>
      <p>
        <strong>{message('drag-to-viewer')}</strong>
        <br />
        {message('drag-to-viewer-hint')}
      </p>
    </div>
  );
}
