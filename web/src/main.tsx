/** Entry point of the reading room. */
// All styles are one file, in this order, since later ones override those before.
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/plain.css';
import './styles/print.css';
import './styles/library.css';
import './styles/viewer.css';
import './styles/contents.css';
import './styles/small-view.css';
import './styles/panels.css';
import './styles/layers.css';
import './styles/overlay.css';
import './styles/dialogs.css';
import './styles/compare.css';
import './styles/table.css';
import './styles/desk.css';
import './styles/tour.css';
import './styles/light-table.css';
import { render } from 'preact';
import { storeLoginToken } from './data/page-settings.ts';
import { applyLook, followPageHead } from './state/page-head.ts';
import { followHistory, page } from './state/route.ts';
import { loadSession } from './state/session.ts';
import { applyPreferences } from './state/stored-preferences.ts';
import { acceptDrops } from './ui/drop/accept-drops.ts';
import { ReadingRoom } from './ui/reading-room.tsx';

storeLoginToken();
const loading = applyPreferences();
applyLook();
followHistory();
followPageHead();
acceptDrops();
void loadSession();
// Loaded in parallel with the page of the images.
if (page.value.kind === 'view' || page.value.kind === 'compare') void import('openseadragon');
const root = document.querySelector('#room');
const show = (): void => {
  if (root !== null) render(<ReadingRoom />, root);
};
if (loading === undefined) show();
else void loading.then(show);
