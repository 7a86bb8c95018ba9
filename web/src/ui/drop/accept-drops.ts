/** Lets addresses of IIIF be dropped onto any page of the room; what they mean is found out by a part that is loaded then. */
import { message } from '../../messages/messages.ts';
import { page } from '../../state/route.ts';

/** In the order in which they are read. */
const kinds = ['text/uri-list', 'application/ld+json', 'application/json', 'text/plain'] as const;

/** Whether what is dragged comes from this page itself, where it is no wish to open it. */
let isOwn = false;

/** Fields and areas for files take what is theirs. */
const takers = 'input, textarea, [contenteditable], .drop-area';

function isWelcome({ dataTransfer, target, defaultPrevented }: DragEvent): boolean {
  if (isOwn || defaultPrevented || dataTransfer === null) return false;
  const now = page.peek();
  if (now.kind === 'view' && now.embedded) return false;
  if (target instanceof Element && target.closest(takers) !== null) return false;
  return kinds.some((kind) => dataTransfer.types.includes(kind));
}

let veil: HTMLElement | undefined;

function showVeil(): void {
  if (veil !== undefined) return;
  veil = document.createElement('p');
  veil.className = 'drop-veil';
  veil.textContent = message('drop-here');
  document.body.append(veil);
}

function hideVeil(): void {
  veil?.remove();
  veil = undefined;
}

function drop(event: DragEvent): void {
  hideVeil();
  if (!isWelcome(event)) return;
  event.preventDefault();
  // Only now can it be read: not after the event.
  const texts = kinds.map((kind) => event.dataTransfer?.getData(kind) ?? '').filter((text) => text.trim() !== '');
  void import('./open-dropped.ts').then(({ openDropped }) => openDropped(texts));
}

/** Follows what is dragged over the page. */
export function acceptDrops(): void {
  // The icon of IIIF is to be dragged from page to page, also from this one.
  addEventListener('dragstart', ({ target }) => {
    isOwn = !(target instanceof Element && target.closest('.drag-icon') !== null);
  });
  addEventListener('dragend', () => {
    isOwn = false;
    hideVeil();
  });
  addEventListener('dragover', (event) => {
    if (!isWelcome(event)) {
      hideVeil();
      return;
    }
    event.preventDefault();
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy';
    showVeil();
  });
  addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) hideVeil();
  });
  addEventListener('drop', drop);
}
