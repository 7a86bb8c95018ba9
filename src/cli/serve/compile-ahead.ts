/** Lets V8 compile the code that answers requests before the first visitor comes. */
import { connect } from 'node:net';
import path from 'node:path';
import { pino } from 'pino';
import { createApp } from '../../app/app.ts';
import { settingsSchema } from '../../config/settings.ts';
import { anyone } from '../../core/access/access.ts';
import { highest, type ImageSet } from '../../core/image/model/image-set.ts';
import { tilingOf } from '../../features/iiif-image/info.ts';
import { tilePaths } from '../../features/iiif-image/tile-paths.ts';
import { formatIdentifierSegment } from '../../features/presentation/model/addresses.ts';
import { samplesFolder } from '../common/configuration.ts';
import { optimizeEarly } from '../common/v8-options.ts';

/** The number of requests after which more of them gain little. */
const requests = 2000;

const host = '127.0.0.1';

/** A server of one sample. */
interface SampleServer {
  readonly folder: string;
  readonly name: string;
  readonly memoryBytes: number;
}

/**
 * Several, which differ: what V8 optimizes for the functions and objects of a single one does not hold for those of the site's
 * server.
 */
const sampleServers: readonly SampleServer[] = [
  { folder: path.join(samplesFolder, 'maps'), name: 'coast-pyramid.tif', memoryBytes: 0 },
  { folder: samplesFolder, name: 'maps/coast-pyramid.tif', memoryBytes: 4 * 2 ** 20 },
];

/** A server of samples stores nothing on disk. */
const settingsOf = ({ folder, memoryBytes }: SampleServer) =>
  settingsSchema.parse({
    library: { folders: [folder] },
    cache: { memoryBytes, directory: false },
    index: { directory: false },
    pyramids: { maxBytes: 0, automatic: false },
    logLevel: 'silent',
  });

/**
 * The addresses of all tiles of an image that are stored as they are sent, as viewers of either version of the Image API write
 * them, and of its info object for different sizes: what starts no render processes.
 */
function addressesOf(image: ImageSet, name: string): readonly string[] {
  const { tile, scaleFactors } = tilingOf(image);
  const full = highest(image);
  const [two, three] = [2, 3].map((version) => `/iiif/${version}/${formatIdentifierSegment(name)}`);
  // Tiles of other levels are rendered.
  const stored = scaleFactors.filter((factor) => full.width % factor === 0 && full.height % factor === 0);
  return stored
    .flatMap((factor) => tilePaths(full, tile, factor))
    .flatMap(({ region, size }, index) => [
      `${two}/${region}/${size.slice(0, size.indexOf(',') + 1)}/0/default.jpg`,
      `${three}/${region}/${size}/0/default.jpg`,
      ...(index % 4 === 0 ? [`/api/dlInfo-json.jsp?fn=${name}&dw=${index}`] : []),
    ]);
}

interface Client {
  /** Requests an address, and resolves when the response is complete. Rejects where it is none with status 200. */
  get(address: string): Promise<void>;
  close(): void;
}

/** A client without Node's, which shares code with the server: that would be compiled for the client's objects too. */
function createClient(port: number): Client {
  const socket = connect({ port, host });
  let head = '';
  let missing: number | undefined;
  let pending: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;

  function fail(error: Error): void {
    pending?.reject(error);
    socket.destroy();
  }

  /** Reads the head of a response; the number of bytes of its body that are missing, undefined while the head is not complete. */
  function missingAfter(chunk: Buffer): number | undefined {
    head += chunk.toString('latin1');
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    if (!head.startsWith('HTTP/1.1 200 '))
      fail(new Error(`a request was answered ${head.slice(0, head.indexOf('\r'))}`));
    return Number(/^content-length: (\d+)/im.exec(head)?.[1]) - (head.length - end - 4);
  }

  function receive(chunk: Buffer): void {
    missing = missing === undefined ? missingAfter(chunk) : missing - chunk.length;
    if (missing !== 0) return;
    missing = undefined;
    head = '';
    pending?.resolve();
  }

  socket.on('data', receive);
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the connection was closed')));
  return {
    get: (address) =>
      new Promise((resolve, reject) => {
        pending = { resolve, reject };
        if (socket.destroyed) return fail(new Error('the connection was closed'));
        socket.write(
          `GET ${address} HTTP/1.1\r\nHost: ${host}:${port}\r\nAccept: */*\r\nConnection: keep-alive\r\n\r\n`,
        );
      }),
    close: () => socket.destroy(),
  };
}

/** Starts a server on a port that only this machine reaches. */
async function start(sample: SampleServer) {
  const app = await createApp(settingsOf(sample), pino({ level: 'silent' }));
  try {
    const { port } = new URL(await app.server.listen({ host, port: 0 }));
    const addresses = addressesOf(await app.admission.admit(sample.name, 1, anyone), sample.name);
    const client = createClient(Number(port));
    return {
      request: (index: number) => client.get(addresses[index % addresses.length] ?? '/'),
      async close() {
        client.close();
        await app.server.close();
      },
    };
  } catch (error) {
    await app.server.close();
    throw error;
  }
}

/**
 * Starts servers of a sample image, sends them requests one after the other, and closes them. Rejects where that is not
 * possible; the server of the site is not touched.
 */
export async function compileAhead(): Promise<void> {
  const servers: Awaited<ReturnType<typeof start>>[] = [];
  try {
    for (const sample of sampleServers) servers.push(await start(sample));
    await optimizeEarly(async () => {
      for (let index = 0; index < requests; index++)
        await servers[index % servers.length]?.request(Math.floor(index / servers.length));
    });
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}
