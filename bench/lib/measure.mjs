/** Measures one row: the same work by each side in turn, round after round. */
import { requireRight } from './checks.mjs';
import { fetchAnswer } from './client.mjs';
import { BenchFailure } from './failure.mjs';
import { settle } from './settle.mjs';
import { cpuMs } from './tree.mjs';

/** How far the mean length of answers under load may be off that of the answers that were looked at. */
const lengthTolerance = 0.15;
const headBytes = 1000;

/** Does a piece of work and adds what processor time it took in the processes of a side. */
async function withCpu(side, work) {
  const before = cpuMs(side.pids);
  const result = await work();
  return { ...result, cpuMs: cpuMs(side.pids) - before };
}

/** Asks a side for every request once; gives the bodies' mean length. What is kept is kept from now on. */
async function prime(side, requests) {
  let bytes = 0;
  for (const request of requests) {
    const { status, body } = await fetchAnswer(side.port, side.pathOf(request));
    if (status !== 200) throw new BenchFailure(`${side.name} answers ${side.pathOf(request)} with status ${status}.`);
    bytes += body.length;
  }
  return bytes / requests.length;
}

function requireLength(side, meanBytes, { bytes, answers }) {
  if (bytes === undefined) return;
  const each = bytes / answers;
  if (each >= meanBytes * (1 - lengthTolerance) && each <= meanBytes * (1 + lengthTolerance) + headBytes) return;
  throw new BenchFailure(
    `${side.name} answers ${Math.round(each)} bytes each under load, not ${Math.round(meanBytes)}.`,
  );
}

/** Every side in turn; who begins changes with each round. What a side still does for itself must not slow the next. */
async function measureRound(sides, round, measureSide) {
  const result = {};
  for (let turn = 0; turn < sides.length; turn++) {
    const side = sides[(turn + round) % sides.length];
    await settle(sides);
    result[side.name] = await withCpu(side, () => measureSide(side));
  }
  return result;
}

async function measureRounds(sides, rounds, measureSideOf) {
  const results = [];
  for (let round = 0; round < rounds; round++) {
    results.push(await measureRound(sides, round, await measureSideOf()));
  }
  return results;
}

/** Around and around the same requests, all of them answered before. */
async function measureAgain({ sides, work, effort, load }, report) {
  const meanBytes = new Map();
  for (const side of sides) meanBytes.set(side.name, await prime(side, work.requests));
  const measureSide = (connections, seconds) => async (side) => {
    const paths = work.requests.map(side.pathOf);
    const result = await load.again({ port: side.port, paths, connections, seconds });
    requireLength(side, meanBytes.get(side.name), result);
    return result;
  };
  const compiling = sides.filter(({ compiles }) => compiles);
  for (const { connections, rounds, seconds } of effort.again) {
    await measureRound(compiling, 0, measureSide(connections, 1));
    report(connections, await measureRounds(sides, rounds, () => measureSide(connections, seconds)));
  }
}

/** Requests that nobody has made before; all sides get the same ones. */
async function measureOnce({ sides, work, effort, load }, report) {
  for (const { connections, rounds, share } of effort.once) {
    // Each connection has something to do, and one has several things.
    const count = Math.max(connections, 3, Math.round(work.counts[connections] * share));
    const measureBatch = async () => {
      const requests = await work.take(count);
      return (side) =>
        side.render
          ? side.render({ calls: requests.map(side.callOf), connections })
          : load.once({ port: side.port, paths: requests.map(side.pathOf), connections });
    };
    await measureRound(sides, 0, await measureBatch());
    report(connections, await measureRounds(sides, rounds, measureBatch));
  }
}

/** Some requests of the row, over all of it. */
async function sampleOf(work, count) {
  if (work.kind === 'once') return work.take(Math.min(count, work.counts[8]));
  const step = Math.max(1, Math.floor(work.requests.length / count));
  return work.requests.filter((_, index) => index % step === 0);
}

/** The sides of which all that was looked at was right. A wrong answer of Lectern's ends the run; a peer sits out. */
async function trustworthy(sides, sample, onFault) {
  const trusted = [];
  for (const side of sides) {
    try {
      if (side.pathOf && !side.place && !side.learn) for (const request of sample) await requireRight(side, request);
      trusted.push(side);
    } catch (error) {
      if (side.name === 'Lectern' || !(error instanceof BenchFailure)) throw error;
      onFault(side, error.message);
    }
  }
  return trusted;
}

/** What the measures that copy Lectern's answers need of them: the static files, the unchanging answer. */
async function copyAnswers(sides, lectern, work) {
  for (const side of sides) {
    if (side.learn) await side.learn(await fetchAnswer(lectern.port, work.requests[0].lectern));
    if (!side.place) continue;
    for (const request of work.requests) {
      const { body, headers } = await fetchAnswer(lectern.port, request.lectern);
      request.nginx = await side.place(body, /json/.test(headers['content-type']) ? 'json' : 'jpg');
    }
  }
}

/**
 * Measures a row's work on its sides, of which the first is Lectern. `report` is told the connections and the rounds'
 * results by side; `onFault` the sides that gave wrong answers, which are then left out.
 */
export async function measureRow({ sides, work: all, effort, load }, report, onFault) {
  const work = all.kind === 'again' ? { ...all, requests: all.requests.slice(0, effort.requests) } : all;
  const sample = await sampleOf(work, effort.samples);
  const trusted = await trustworthy(sides, sample, onFault);
  await copyAnswers(trusted, sides[0], work);
  const measure = work.kind === 'again' ? measureAgain : measureOnce;
  await measure({ sides: trusted, work, effort, load }, report);
}
