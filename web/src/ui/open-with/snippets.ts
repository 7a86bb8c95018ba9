/** HTML snippets that show a folder or an image in other viewers. */
import type { ManifestLink } from './addresses.ts';

/** A JavaScript string that can't end the `script` element. */
const scriptText = (text: string): string => JSON.stringify(text).replaceAll('<', '\\u003c');

const openSeadragonHead = `<div id="viewer" style="height: 600px"></div>
<script src="https://cdn.jsdelivr.net/npm/openseadragon@6/build/openseadragon/openseadragon.min.js"></script>`;

/** `info` is the address of the `info.json`. */
export const openSeadragonImage = (info: string): string => `${openSeadragonHead}
<script>
  OpenSeadragon({
    id: 'viewer',
    prefixUrl: 'https://cdn.jsdelivr.net/npm/openseadragon@6/build/openseadragon/images/',
    tileSources: ${scriptText(info)},
  });
</script>`;

/** All pages of a manifest of version 3. */
export const openSeadragonPages = (manifest: string): string => `${openSeadragonHead}
<script type="module">
  const manifest = await (await fetch(${scriptText(manifest)})).json();
  OpenSeadragon({
    id: 'viewer',
    prefixUrl: 'https://cdn.jsdelivr.net/npm/openseadragon@6/build/openseadragon/images/',
    sequenceMode: true,
    tileSources: manifest.items.map(
      (canvas) => canvas.items[0].items[0].body.service[0].id + '/info.json',
    ),
  });
</script>`;

export const miradorSnippet = ({
  manifest,
  canvas,
}: ManifestLink): string => `<div id="viewer" style="position: relative; height: 600px"></div>
<script src="https://cdn.jsdelivr.net/npm/mirador@4/dist/mirador.min.js"></script>
<script>
  Mirador.viewer({
    id: 'viewer',
    windows: [{ manifestId: ${scriptText(manifest)}${canvas === undefined ? '' : `, canvasId: ${scriptText(canvas)}`} }],
  });
</script>`;

export const universalViewerSnippet = (
  manifest: string,
): string => `<link rel="stylesheet" href="https://cdn.jsdelivr.net/npm/universalviewer@4/dist/uv.css">
<script src="https://cdn.jsdelivr.net/npm/universalviewer@4/dist/umd/UV.js"></script>
<div id="viewer" class="uv" style="height: 600px"></div>
<script>
  UV.init('viewer', { manifest: ${scriptText(manifest)} });
</script>`;
