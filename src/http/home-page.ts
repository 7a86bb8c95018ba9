/** The start page as HTML: what the server is, the library's top with thumbnails, and addresses to copy. */
import { formatIdentifierSegment } from '../iiif/presentation/addresses.ts';
import type { FolderCard, Overview } from '../service/browse.ts';
import { escapeHtml, type Page, page } from './html.ts';

const style = `
ul.cards { list-style: none; margin: 0; padding: 0; display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; overflow: hidden; display: flex; flex-direction: column; }
.card .picture { height: 15rem; background: color-mix(in srgb, var(--line) 45%, var(--card)); display: flex; align-items: center; justify-content: center; padding: .75rem; color: var(--soft); }
.card img { max-width: 100%; max-height: 100%; object-fit: contain; filter: drop-shadow(0 1px 3px rgb(0 0 0 / .3)); }
.card .text { padding: .8rem 1rem 1rem; display: flex; flex-direction: column; gap: .15rem; }
.card strong { overflow-wrap: anywhere; }
.card small { color: var(--soft); }
.card .links { margin-top: .35rem; font-size: .9rem; display: flex; gap: .9rem; flex-wrap: wrap; }
dl { margin: 0; border-top: 1px solid var(--line); }
dl > div { display: grid; grid-template-columns: 11rem 1fr auto; gap: 1rem; align-items: center; padding: .55rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--soft); }
dd { margin: 0; min-width: 0; }
button { font: inherit; font-size: .85rem; color: var(--accent); background: none; border: 1px solid var(--line); border-radius: .4rem; padding: .2rem .7rem; cursor: pointer; }
button:hover { border-color: var(--accent); }
@media (max-width: 40rem) { dl > div { grid-template-columns: 1fr auto; } dt { grid-column: 1 / -1; } h1 { font-size: 2rem; } }
`;

const script = `
for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const text = button.dataset.copy;
    try { await navigator.clipboard.writeText(text); }
    catch {
      const area = Object.assign(document.createElement('textarea'), { value: text });
      document.body.append(area); area.select(); document.execCommand('copy'); area.remove();
    }
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
}
`;

const thumbnail = (path: string): string => `Scaler?fn=${encodeURIComponent(path)}&dw=340&dh=400`;

/** Writes the path of an image as the identifier of IIIF addresses. */
type Identify = (path: string) => string;

function links(path: string, folder: string, identify: Identify): string {
  const info = `iiif/3/${identify(path)}/info.json`;
  const scaler = `Scaler?fn=${encodeURIComponent(folder)}&dw=1000`;
  return `<span class="links"><a href="${escapeHtml(scaler)}">Picture</a><a href="${escapeHtml(info)}">info.json</a></span>`;
}

function count(number: number, one: string, many: string): string {
  return number === 0 ? '' : `${number} ${number === 1 ? one : many}`;
}

function picture(path: string | undefined, name: string): string {
  if (path === undefined) return '<span class="picture">no image</span>';
  return `<span class="picture"><img src="${escapeHtml(thumbnail(path))}" alt="${escapeHtml(name)}" loading="lazy"></span>`;
}

function folderCard(card: FolderCard, identify: Identify): string {
  const contents = [count(card.images, 'image', 'images'), count(card.folders, 'folder', 'folders')].filter(Boolean);
  return `<li class="card">${picture(card.cover, `Cover of ${card.name}`)}<span class="text"><strong>${escapeHtml(card.name)}</strong>
<small>${contents.join(', ') || 'empty'}</small>${card.cover === undefined ? '' : links(card.cover, card.cover, identify)}</span></li>`;
}

const imageCard = (name: string, identify: Identify): string =>
  `<li class="card">${picture(name, name)}<span class="text"><strong>${escapeHtml(name)}</strong>${links(name, name, identify)}</span></li>`;

function address(label: string, url: string): string {
  const safe = escapeHtml(url);
  return `<div><dt>${label}</dt><dd><a href="${safe}"><code>${safe}</code></a></dd><button type="button" hidden data-copy="${safe}">Copy</button></div>`;
}

function addresses(base: string, example: string, identify: Identify): string {
  const name = encodeURIComponent(example).replaceAll('%2F', '/');
  return [
    address('Info object', `${base}/api/dlInfo-json.jsp?fn=${name}`),
    address('Scaler', `${base}/Scaler?fn=${name}&dw=800`),
    address('Original file', `${base}/Scaler?fn=${name}&mo=file,hires`),
    address('IIIF Image 3.0', `${base}/iiif/3/${identify(example)}/info.json`),
    address('IIIF Image 2.1', `${base}/iiif/2/${identify(example)}/info.json`),
    address('IIIF picture', `${base}/iiif/3/${identify(example)}/full/!800,800/0/default.jpg`),
    address('API description', `${base}/openapi.json`),
  ].join('\n');
}

function library({ folders, images, more }: Overview, identify: Identify): string {
  if (folders.length + images.length === 0) return '<p>The library holds no images yet: put scans into its folder.</p>';
  const cards = [
    ...folders.map((card) => folderCard(card, identify)),
    ...images.map((name) => imageCard(name, identify)),
  ].join('\n');
  return `<ul class="cards">${cards}</ul>${more > 0 ? `<p>… and ${more} more.</p>` : ''}`;
}

/** The page. `base` is the server's address with its context path, without a slash at the end; `slash` as in identifiers. */
export function homePage(overview: Overview, base: string, slash: string): Page {
  const { example } = overview;
  const identify: Identify = (path) => formatIdentifierSegment(path, slash);
  const body = `<h1>Lectern</h1>
<p class="lead">An image server for digital libraries. It serves the folders below through the digilib APIs and IIIF, at any size, region and rotation.</p>
<h2>Library</h2>
${library(overview, identify)}
${example === undefined ? '' : `<h2>Addresses</h2>\n<dl>${addresses(base, example, identify)}</dl>`}`;
  return page({ title: 'Lectern', body, style, script });
}
