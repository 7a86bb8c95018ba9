/** The element that a key is for. */

/** Elements that use characters themselves. */
export const fields = 'input, select, textarea, [contenteditable]';

/**
 * The element with the focus when a key was pressed; the page's body where there is none. A dialog that has just closed
 * may still contain the focus: the browser moves it with the next frame, which may come after the next key.
 */
export function keyTarget({ target }: KeyboardEvent): Element {
  const hasFocus = target instanceof Element && target.closest('dialog:not([open])') === null;
  return hasFocus ? target : document.body;
}
