/** Lets V8 compile the code that answers requests before the first visitor comes. */
import { Agent, get } from 'node:http';
import path from 'node:path';
import { pino } from 'pino';
import { anyone } from '../../access/access.ts';
import { createApp } from '../../app/app.ts';
import { settingsSchema } from '../../config/settings.ts';
import { tilingOf } from '../../iiif/info.ts';
import { tilePaths } from '../../iiif/tile-paths.ts';
import { highest, type ImageSet } from '../../image/model/image-set.ts';
import { samplesFolder } from '../common/configuration.ts';
import { optimizeEarly } from '../common/v8-options.ts';

/** The number of requests after which more of them gain little. */
const requests = 1000;

const host = '127.0.0.1';
const name = 'coast-pyramid.tif';

/** A server of one sample that stores nothing, and answers each request anew. */
const settings = () =>
  settingsSchema.parse({
    library: { folders: [path.join(samplesFolder, 'maps')] },
    cache: { memoryBytes: 0, directory: false },
    index: { directory: false },
    pyramids: { maxBytes: 0, automatic: false },
    logLevel: 'silent',
  });

/** The addresses of all tiles of an image that are stored as they are sent, and of its info object for different sizes. */
function addressesOf(image: ImageSet): readonly string[] {
  const { tile, scaleFactors } = tilingOf(image);
  const full = highest(image);
  // Tiles of other levels are rendered, which would start render processes.
  const stored = scaleFactors.filter((factor) => full.width % factor === 0 && full.height % factor === 0);
  return stored
    .flatMap((factor) => tilePaths(full, tile, factor))
    .flatMap(({ region, size }, index) => [
      `/iiif/3/${name}/${region}/${size}/0/default.jpg`,
      ...(index % 4 === 0 ? [`/api/dlInfo-json.jsp?fn=${name}&dw=${index}`] : []),
    ]);
}

const request = (address: string, agent: Agent): Promise<void> =>
  new Promise((resolve, reject) => {
    get(address, { agent }, (response) => {
      const { statusCode } = response;
      response.resume().on('error', reject);
      response.on('end', () =>
        statusCode === 200 ? resolve() : reject(new Error(`${address} was answered ${statusCode}`)),
      );
    }).on('error', reject);
  });

/**
 * Starts a second server of a sample image, on a port that only this machine reaches, sends it requests one after the other,
 * and closes it. Rejects where that is not possible; the server of the site is not touched.
 */
export async function compileAhead(): Promise<void> {
  const app = await createApp(settings(), pino({ level: 'silent' }));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const base = await app.server.listen({ host, port: 0 });
    const addresses = addressesOf(await app.admission.admit(name, 1, anyone));
    await optimizeEarly(async () => {
      for (let index = 0; index < requests; index++)
        await request(`${base}${addresses[index % addresses.length]}`, agent);
    });
  } finally {
    agent.destroy();
    await app.server.close();
  }
}
