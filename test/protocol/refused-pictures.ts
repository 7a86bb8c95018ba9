/** Asks for pictures of damaged and of whole files at both dialects. */
import { expect } from 'vitest';
import { base, expectDiscreet, type serveLibrary } from './library-with-secrets.ts';

/** Of files with 400 x 300 pixels: whole ones, smaller ones, and parts of them. */
export const pictureAddresses: readonly ((name: string) => string)[] = [
  (name) => `${base}/Scaler?fn=${name}&dw=60`,
  (name) => `${base}/Scaler?fn=${name}&dw=400`,
  (name) => `${base}/Scaler?fn=${name}&dw=100&wy=0.7&wh=0.3`,
  (name) => `${base}/iiif/3/${name}/full/max/0/default.jpg`,
  (name) => `${base}/iiif/3/${name}/full/60,/0/default.png`,
  (name) => `${base}/iiif/2/${name}/0,250,400,50/full/0/default.jpg`,
];

export const endOfImage = Buffer.from([0xff, 0xd9]);

export async function expectRefused(
  server: ReturnType<typeof serveLibrary>,
  name: string,
  addresses = pictureAddresses,
): Promise<void> {
  for (const address of addresses) {
    const answer = await server.app.get(address(name));
    expect(answer.status, address(name)).toBe(404);
    expect(answer.headers['cache-control'], address(name)).toBe('no-store');
    expect(answer.headers['etag']).toBeUndefined();
    expectDiscreet(answer, server.library);
  }
}

export async function expectServed(
  server: ReturnType<typeof serveLibrary>,
  name: string,
  addresses = pictureAddresses,
): Promise<void> {
  for (const address of addresses) expect((await server.app.get(address(name))).status, address(name)).toBe(200);
}
