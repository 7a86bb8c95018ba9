/** Begins the reading room. */
import './styles/base.css';
import './styles/print.css';
import { render } from 'preact';
import { takeToken } from './data/login.ts';
import { applyPreferences } from './state/preferences.ts';
import { followHistory, page } from './state/route.ts';
import { ReadingRoom } from './ui/reading-room.tsx';

takeToken();
applyPreferences();
followHistory();
// What an image needs is asked for at once, without waiting for the page around it.
if (page.value.kind === 'view') void import('openseadragon');
const room = document.querySelector('#room');
if (room !== null) render(<ReadingRoom />, room);
