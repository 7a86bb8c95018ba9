/**
 * What the head of the document says of the page to programs that read it in the browser, such as Zotero’s button: the server
 * writes it for the first page, and for another page it is taken from the HTML of that page’s address. Also the site’s look.
 */
import { computed, effect } from '@preact/signals';
import { pageSettings } from '../data/page-settings.ts';
import { page } from './route.ts';
import { view } from './view.ts';

/** Readers who turn pages quickly cause no requests, in ms. */
const pauseMs = 1000;

const markAt = (document: Document, place: 'start' | 'end'): Element | null =>
  document.head.querySelector(`meta[name="lectern-page"][content="${place}"]`);

/** The elements between the two marks of a document. */
function saidIn(document: Document): readonly Element[] {
  const end = markAt(document, 'end');
  const said: Element[] = [];
  if (end === null) return said;
  for (let at = markAt(document, 'start')?.nextElementSibling; at && at !== end; at = at.nextElementSibling)
    said.push(at);
  return said;
}

/** What the HTML of an address says; nothing for a page that can't be shown. */
async function fetchSaid(address: string, signal: AbortSignal): Promise<readonly Element[]> {
  try {
    const answer = await fetch(address, { signal });
    return answer.ok ? saidIn(new DOMParser().parseFromString(await answer.text(), 'text/html')) : [];
  } catch {
    return [];
  }
}

/** The page as far as its description depends on it; it changes neither with the region nor with a search. */
const described = computed(() => {
  const now = page.value;
  if (now.kind === 'compare' || now.kind === 'desk' || now.kind === 'light-table') return now.kind;
  if (now.kind !== 'view') return JSON.stringify([now.folder, now.from]);
  return now.embedded ? '' : JSON.stringify([view.value.fn, view.value.pn, 'view']);
});

/** Follows the navigation from the page that was loaded. */
export function followPageHead(): void {
  let shown: string | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let request: AbortController | undefined;
  effect(() => {
    const now = described.value;
    const isFirst = shown === undefined;
    if (now === shown) return;
    shown = now;
    if (isFirst) return;
    clearTimeout(waiting);
    request?.abort();
    for (const element of saidIn(document)) element.remove();
    waiting = setTimeout(async () => {
      request = new AbortController();
      const { signal } = request;
      const said = await fetchSaid(location.href, signal);
      if (!signal.aborted) markAt(document, 'end')?.before(...said);
    }, pauseMs);
  });
}

/** A typeface of the site is for one custom property of the styles, and has all weights that they ask for. */
function applyTypeface(property: string, family: string, address: string | null): void {
  if (address === null) return;
  const source = `url("${new URL(address, document.baseURI).href}")`;
  document.fonts.add(new FontFace(family, source, { display: 'swap', weight: '100 900' }));
  document.documentElement.style.setProperty(property, `"${family}"`);
}

/** The colors and typefaces of the site; by script, since the policy of the pages forbids inline styles. */
export function applyLook(): void {
  const { accent, paper, typefaces } = pageSettings;
  const { style } = document.documentElement;
  for (const theme of ['light', 'dark'] as const)
    for (const [name, color] of Object.entries(paper?.[theme] ?? {})) style.setProperty(`--${theme}-${name}`, color);
  applyTypeface('--site-serif', 'Site Headings', typefaces.headings);
  applyTypeface('--site-sans', 'Site Text', typefaces.text);
  if (accent === null) return;
  style.setProperty('--accent-light', accent.light);
  style.setProperty('--accent-dark', accent.dark);
}
