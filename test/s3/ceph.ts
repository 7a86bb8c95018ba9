/** Starts Debian's Ceph with its S3 API for tests. */
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type ObjectStore, startStore, storeKey } from './swift.ts';

const program = fileURLToPath(new URL('ceph-server.sh', import.meta.url));

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export async function startCeph(): Promise<ObjectStore> {
  const ports = [String(await freePort()), String(await freePort())];
  return startStore('ceph', (folder) => [
    'sh',
    program,
    folder,
    ...ports,
    storeKey.accessKeyId,
    storeKey.secretAccessKey,
  ]);
}
