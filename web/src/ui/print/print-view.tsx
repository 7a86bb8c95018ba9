/** Renders the printed page when the browser is about to print, and prints with a picture of the sheet's resolution. */
import '../../styles/print-sheet.css';
import { render } from 'preact';
import { loadPrintPicture } from './print-picture.ts';
import { PrintSheet } from './print-sheet.tsx';

/** Renders the sheet into an element while the browser prints; the returned function ends this. */
export function renderWhilePrinting(host: HTMLElement): () => void {
  // Printing begins when the listeners of this event have returned: nothing can be waited for.
  const show = (): void => render(<PrintSheet />, host);
  const hide = (): void => render(null, host);
  addEventListener('beforeprint', show);
  addEventListener('afterprint', hide);
  return () => {
    removeEventListener('beforeprint', show);
    removeEventListener('afterprint', hide);
    hide();
  };
}

/** Loads the picture, then opens the browser's dialog. */
export async function printView(): Promise<void> {
  await loadPrintPicture();
  window.print();
}
