/** Begins the reading room. */
import { render } from 'preact';

const room = document.querySelector('#room');
if (room !== null) render(<p>…</p>, room);
