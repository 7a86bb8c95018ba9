// A site of another origin whose page shows an image of the library in OpenSeadragon.
import { readFileSync } from 'node:fs';
import http from 'node:http';

const script = new URL('../../node_modules/openseadragon/build/openseadragon/openseadragon.min.js', import.meta.url);

const page = `<!doctype html><title>viewer</title><link rel="icon" href="data:,">
<style>html,body,#v{margin:0;width:1000px;height:700px;background:#fff}</style>
<div id="v"></div><script src="/osd.js"></script><script>
const viewer = OpenSeadragon({ id: 'v', drawer: 'canvas', crossOriginPolicy: 'Anonymous', showNavigationControl: false,
  tileSources: new URLSearchParams(location.search).get('info') });
window.zoomTo = (x, y, factor) => {
  const item = viewer.world.getItemAt(0);
  if (!item) return;
  const size = item.getContentSize();
  viewer.viewport.zoomTo(viewer.viewport.getHomeZoom() * factor);
  viewer.viewport.panTo(item.imageToViewportCoordinates(x * size.x, y * size.y));
};
</script>`;

export async function startViewerSite() {
  const files = { '/viewer': ['text/html', page], '/osd.js': ['text/javascript', readFileSync(script)] };
  const server = http.createServer((request, response) => {
    const [type, body] = files[request.url.split('?')[0]] ?? ['text/plain', ''];
    response.writeHead(body === '' ? 404 : 200, { 'content-type': type, 'cache-control': 'max-age=3600' }).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}
