/** Starts iipsrv: a FastCGI process for each core, with nginx in front of them. */
import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import { BenchFailure } from '../failure.mjs';
import { freePort, startProgram, stop } from '../processes.mjs';

/** Fair values: the cache holds all repeated requests, quality and threads are those of Lectern. */
export const iipsrvSettings = {
  MAX_IMAGE_CACHE_SIZE: '64',
  JPEG_QUALITY: '85',
  MAX_CVT: '10000',
  OMP_NUM_THREADS: '1',
  CORS: '*',
  // Its default looks for one on this machine.
  MEMCACHED_SERVERS: '',
};

/** The name of Debian’s version as a peer, and of the newer one that a variable names. */
export const peerNames = { debian: 'iipsrv', newer: 'iipsrv 1.3' };

const isListening = (port) =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (is) => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });

/** Where the program has ended, what listens there is another one. */
async function waitUntilListening(port, child) {
  for (let attempt = 0; attempt < 100 && child.exitCode === null; attempt++) {
    if (await isListening(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new BenchFailure('iipsrv did not start.');
}

/** Starts the processes for a folder, `environment` has other variables; `fcgiPorts` are for nginx, which listens on `httpPort`. */
export async function startIipsrv({ name, program, folder, environment }) {
  const env = { ...iipsrvSettings, ...environment, FILESYSTEM_PREFIX: `${folder}/`, URI_MAP: 'iiif=>IIIF' };
  const fcgiPorts = [];
  const children = [];
  for (let index = 0; index < availableParallelism(); index++) {
    const port = await freePort();
    const child = startProgram(program, ['--bind', `127.0.0.1:${port}`], { env });
    children.push(child);
    await waitUntilListening(port, child);
    fcgiPorts.push(port);
  }
  const httpPort = await freePort();
  return {
    name,
    port: httpPort,
    fcgiPorts,
    httpPort,
    pids: children.map(({ pid }) => pid),
    pathOf: ({ iipsrv }) => iipsrv,
    close: () => Promise.all(children.map(stop)),
  };
}
