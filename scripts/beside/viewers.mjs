/** Pages with Mirador and Universal Viewer as they are published, with their own settings. */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const page = (body) => ({ type: 'text/html; charset=utf-8', body });

const miradorPage = page(`<!doctype html><html lang="en"><title>Mirador</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>html,body{margin:0;height:100%}#m{position:absolute;inset:0}</style><div id="m"></div><script src="/mirador.js"></script>
<script>const manifestId = new URLSearchParams(location.search).get('manifest');
Mirador.viewer({ id: 'm', windows: [{ manifestId }] });</script>`);

const universalViewerPage =
  page(`<!doctype html><html lang="en"><title>Universal Viewer</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/uv.css"><script src="/umd/UV.js"></script>
<style>html,body{margin:0;height:100%}#uv{width:100vw;height:100vh}</style><div id="uv" class="uv"></div>
<script>UV.init('uv', { manifest: new URLSearchParams(location.search).get('manifest') });</script>`);

const typeOf = (name) => (name.endsWith('.css') ? 'text/css' : 'text/javascript; charset=utf-8');

/** The files by their paths, from the folder in which the packages are installed. */
function filesIn(folder) {
  const read = (name) => ({ type: typeOf(name), body: readFileSync(path.join(folder, 'node_modules', name)) });
  const parts = readdirSync(path.join(folder, 'node_modules/universalviewer/dist/umd')).filter((name) =>
    name.endsWith('.js'),
  );
  return new Map([
    ['/mirador', miradorPage],
    ['/mirador.js', read('mirador/dist/mirador.min.js')],
    ['/universalviewer', universalViewerPage],
    ['/uv.css', read('universalviewer/dist/uv.css')],
    ...parts.map((name) => [`/umd/${name}`, read(`universalviewer/dist/umd/${name}`)]),
  ]);
}

/** Serves them, compressed as Lectern's own files are, at an address without a trailing slash. */
export async function serveViewers(folder) {
  const files = new Map([...filesIn(folder)].map(([at, { type, body }]) => [at, { type, body: gzipSync(body) }]));
  const server = createServer((request, response) => {
    const file = files.get(request.url.split('?')[0]);
    if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': file.type, 'content-encoding': 'gzip' }).end(file.body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
