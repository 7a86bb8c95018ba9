/** The start page as HTML: what the server is, the library's top with thumbnails, and addresses to copy. */
import { createHash } from 'node:crypto';
import { formatIdentifierSegment } from '../iiif/presentation/addresses.ts';
import type { FolderCard, Overview } from '../service/browse.ts';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that is safe in HTML, in and outside of attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');

const style = `
:root { color-scheme: light dark; --paper: #fbf9f4; --ink: #25221c; --soft: #6d665a; --line: #e3ddd0; --card: #fff; --accent: #7a3b1d; }
@media (prefers-color-scheme: dark) { :root { --paper: #1b1a18; --ink: #ece7dc; --soft: #a39b8b; --line: #38352f; --card: #24221f; --accent: #e0a37f; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 66rem; margin: 0 auto; padding: 3rem 1.5rem 4rem; }
h1, h2 { font-family: Charter, "Iowan Old Style", Georgia, "DejaVu Serif", serif; font-weight: 600; letter-spacing: -0.01em; line-height: 1.2; }
h1 { font-size: 2.6rem; margin: 0 0 .4rem; }
h2 { font-size: 1.45rem; margin: 2.8rem 0 1rem; }
p.lead { color: var(--soft); font-size: 1.1rem; max-width: 44rem; margin: 0; }
a { color: var(--accent); }
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
code { font: .9rem/1.4 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
button { font: inherit; font-size: .85rem; color: var(--accent); background: none; border: 1px solid var(--line); border-radius: .4rem; padding: .2rem .7rem; cursor: pointer; }
button:hover { border-color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
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

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M4 8 L28 4 V18 L4 22 Z" fill="#7a3b1d"/><path d="M16 20 V27 M9 28 H23" stroke="#7a3b1d" stroke-width="3" stroke-linecap="round"/></svg>',
)}`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing but the page's own style, script and the server's pictures. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "img-src 'self' data:",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

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
export function homePage(overview: Overview, base: string, slash: string): string {
  const { example } = overview;
  const identify: Identify = (path) => formatIdentifierSegment(path, slash);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lectern</title>
<link rel="icon" href="${icon}">
<style>${style}</style>
</head>
<body>
<main>
<h1>Lectern</h1>
<p class="lead">An image server for digital libraries. It serves the folders below through the digilib APIs and IIIF, at any size, region and rotation.</p>
<h2>Library</h2>
${library(overview, identify)}
${example === undefined ? '' : `<h2>Addresses</h2>\n<dl>${addresses(base, example, identify)}</dl>`}
</main>
<script>${script}</script>
</body>
</html>
`;
}
