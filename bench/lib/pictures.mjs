/** Measures renderings over HTTP beside the bare sharp calls that make the same pictures. */
import sharp from 'sharp';
import { fetchAnswer } from './client.mjs';
import { withCpu } from './cpu.mjs';
import { BenchFailure } from './failure.mjs';
import { pictures, requestsFor, take } from './picture-requests.mjs';
import { startWorker, stop } from './processes.mjs';
import { summarize } from './statistics.mjs';

const inFlightTogether = 8;
const warmUpRequests = 8;
/** How far the mean of a channel may be off, of 255. */
const tolerance = 1;

/** The aim: at least this part of the bare calls' throughput. */
const aim = 0.9;

async function factsOf(bytes) {
  const { format, width, height, channels } = await sharp(bytes).metadata();
  const { channels: statistics } = await sharp(bytes).stats();
  return { form: `${format} ${width} x ${height}, ${channels} channels`, means: statistics.map(({ mean }) => mean) };
}

/** Whether the answer is the picture that the bare call makes: status, format, size, mean color. */
async function requireSamePicture(port, bare, { path, call }) {
  const wrong = (what) => new BenchFailure(`The answer to ${path} is wrong: ${what}.`);
  const { status, body } = await fetchAnswer(port, path);
  if (status !== 200) throw wrong(`status ${status}`);
  const { bytes } = await bare.ask({ calls: [call], wantsBytes: true });
  const [ours, expected] = [await factsOf(body), await factsOf(bytes)];
  if (ours.form !== expected.form) throw wrong(`${ours.form} instead of ${expected.form}`);
  if (ours.means.some((mean, channel) => Math.abs(mean - expected.means[channel]) > tolerance)) {
    throw wrong(`mean color ${ours.means.map(Math.round)} instead of ${expected.means.map(Math.round)}`);
  }
}

async function fetchPicture(port, path) {
  const { status, body } = await fetchAnswer(port, path);
  if (status !== 200 || body.length === 0) throw new BenchFailure(`${path} was answered with status ${status}.`);
}

/** Renderings over HTTP, so many requests in flight at any time. */
async function measureLectern(port, requests, inFlight) {
  const shared = requests.values();
  const start = performance.now();
  const askInTurn = async () => {
    for (const { path } of shared) await fetchPicture(port, path);
  };
  await Promise.all(Array.from({ length: inFlight }, askInTurn));
  return { answers: requests.length, elapsedMs: performance.now() - start };
}

/** Renderings by sharp alone; timed in its own process, so that asking it costs nothing. */
async function measureBare(bare, requests, inFlight) {
  const { ms } = await bare.ask({ calls: requests.map(({ call }) => call), inFlight });
  return { answers: requests.length, elapsedMs: ms };
}

/** Both sides with the same requests, one after the other; who begins changes with each round. */
async function measureRound(server, bare, requests, inFlight, round) {
  const sides = {
    lectern: () => withCpu(server.child.pid, () => measureLectern(server.port, requests, inFlight)),
    bare: () => withCpu(bare.child.pid, () => measureBare(bare, requests, inFlight)),
  };
  const result = {};
  for (const side of round % 2 === 0 ? ['lectern', 'bare'] : ['bare', 'lectern']) result[side] = await sides[side]();
  return result;
}

async function measurePicture(server, bare, picture, effort, report) {
  const requests = requestsFor(picture);
  for (const request of take(requests, 2)) await requireSamePicture(server.port, bare, request);
  await measureRound(server, bare, take(requests, warmUpRequests), inFlightTogether, 0);
  for (const { inFlight, rounds, perRound } of [
    { inFlight: 1, rounds: effort.singles, perRound: 1 },
    { inFlight: inFlightTogether, rounds: effort.rounds, perRound: effort.perRound },
  ]) {
    const results = [];
    for (let round = 0; round < rounds; round++) {
      results.push(await measureRound(server, bare, take(requests, perRound), inFlight, round));
    }
    report({ what: picture.name, at: inFlight, unit: 'pictures/s', aim, ...summarize(results) });
  }
}

/** Sizes of a tiling are rare, so there are fewer addresses of them that have not been asked for. */
const few = { singles: 6, rounds: 3, perRound: 8 };
const atMost = (effort, limit) =>
  Object.fromEntries(Object.entries(effort).map(([key, value]) => [key, Math.min(value, limit[key])]));

/** Measures each picture one at a time and several at once; hands every row to `report` as soon as it is known. */
export async function measurePictures(server, effort, report) {
  const bare = startWorker('bare-sharp');
  for (const picture of pictures) {
    await measurePicture(server, bare, picture, picture.tiling === 'beyond' ? atMost(effort, few) : effort, report);
  }
  await stop(bare.child);
}
