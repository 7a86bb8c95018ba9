/** The page to compare with: it loads only OpenSeadragon and an image service. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';

const script = gzipSync(
  readFileSync(createRequire(import.meta.url).resolve('openseadragon/build/openseadragon/openseadragon.min.js')),
);

const pageOf = (
  service,
) => `<!doctype html><title>bare</title><body style="margin:0"><div id="image" style="height:100vh"></div>
<script src="/openseadragon.js"></script><script>
const viewer = OpenSeadragon({ id: 'image', showNavigationControl: false, immediateRender: true, tileSources: '${service}' });
viewer.addOnceHandler('open', () => requestAnimationFrame(() =>
  viewer.world.getItemAt(0).whenFullyLoaded(() => performance.mark('lectern:sharp'))));
</script>`;

/** Serves the page with the image service at an address. */
export async function startBarePage(service) {
  const server = createServer((request, response) => {
    if (request.url === '/openseadragon.js') {
      response.writeHead(200, { 'content-type': 'text/javascript', 'content-encoding': 'gzip' }).end(script);
    } else response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf(service));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}
