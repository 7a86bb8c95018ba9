// Starts apps with the libraries of the page of operations, and sends Scaler requests to them over HTTP.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp } from '../../dist/app/app.js';
import { readSettings } from '../../dist/app/settings/configuration.js';

const samples = fileURLToPath(new URL('../../samples', import.meta.url));

async function start(folders) {
  const { server } = await createApp(readSettings({ library: { folders }, logLevel: 'silent' }, {}, undefined));
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address();
  async function send(query) {
    const response = await fetch(`http://127.0.0.1:${port}/Scaler?${query}`);
    const type = response.headers.get('content-type')?.split(';')[0] ?? '';
    return { status: response.status, type, body: Buffer.from(await response.arrayBuffer()) };
  }
  return { send, close: () => server.close() };
}

/** Calls `use` with functions that send a query: to the bundled samples, and to these with a prescaled photograph. */
export async function withLibraries(use) {
  const plain = await start([samples]);
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-operations-'));
  let prescaled;
  try {
    const { body } = await plain.send('fn=objects/photo-rotated&dw=300&mo=png');
    mkdirSync(path.join(folder, 'objects'));
    writeFileSync(path.join(folder, 'objects/photo-rotated.png'), body);
    prescaled = await start([samples, folder]);
    return await use({ samples: plain.send, prescaled: prescaled.send });
  } finally {
    await Promise.all([plain.close(), prescaled?.close()]);
    rmSync(folder, { recursive: true });
  }
}
