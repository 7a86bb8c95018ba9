/** Measures one row: the same workload on each system in turn, in several rounds. */
import { requireCorrect } from './checks.mjs';
import { BenchFailure } from './failure.mjs';
import { fetchResponse } from './http-client.mjs';
import { cpuMs } from './process-tree.mjs';
import { settle } from './settle.mjs';

/** How much the mean length of responses under load may differ from that of the responses before, as a fraction. */
const lengthTolerance = 0.15;
const headBytes = 1000;

/** Runs the function, and adds the processor time that the processes of the system used meanwhile. */
async function withCpu(system, work) {
  const before = cpuMs(system.pids);
  const result = await work();
  return { ...result, cpuMs: cpuMs(system.pids) - before };
}

/** The most servers that one of the systems has. */
const serversOf = (systems) => Math.max(...systems.map(({ servers = 1 }) => servers));

/** Sends each request once, which fills the caches of the system; resolves to the mean length of the bodies. */
async function prime(system, requests) {
  let bytes = 0;
  for (const request of requests) {
    const { status, body } = await fetchResponse(system.port, system.pathOf(request));
    if (status !== 200)
      throw new BenchFailure(`${system.name} answers ${system.pathOf(request)} with status ${status}.`);
    bytes += body.length;
  }
  return bytes / requests.length;
}

function requireLength(system, meanBytes, { bytes, answers }) {
  if (bytes === undefined) return;
  const each = bytes / answers;
  if (each >= meanBytes * (1 - lengthTolerance) && each <= meanBytes * (1 + lengthTolerance) + headBytes) return;
  throw new BenchFailure(
    `${system.name} answers ${Math.round(each)} bytes each under load, not ${Math.round(meanBytes)}.`,
  );
}

/** Measures each system in turn; the first one changes with each round. Waits for background work to end before each. */
async function measureRound(systems, round, measureSystem) {
  const result = {};
  for (let turn = 0; turn < systems.length; turn++) {
    const system = systems[(turn + round) % systems.length];
    system.turnTo?.(round);
    await settle(systems);
    result[system.name] = await withCpu(system, () => measureSystem(system));
  }
  return result;
}

async function measureRounds(systems, rounds, measureSystemOf) {
  const results = [];
  for (let round = 0; round < rounds; round++) {
    results.push(await measureRound(systems, round, await measureSystemOf()));
  }
  return results;
}

/** Measures repeated requests, all of which have been answered before. */
async function measureRepeated({ systems, work, effort, load }, report) {
  const meanBytes = new Map();
  for (const system of systems) {
    for (let server = 0; server < (system.servers ?? 1); server++) {
      system.turnTo?.(server);
      if (!system.render) meanBytes.set(system.name, await prime(system, work.requests));
    }
  }
  const measureSystem = (connections, seconds) => async (system) => {
    if (system.render)
      return system.render({ calls: work.requests.map(system.callOf), connections, ms: seconds * 1000 });
    const paths = work.requests.map(system.pathOf);
    const result = await load.repeated({ port: system.port, paths, connections, seconds });
    requireLength(system, meanBytes.get(system.name), result);
    return result;
  };
  const compiling = systems.filter(({ compiles }) => compiles);
  for (const { connections, rounds, seconds } of effort.repeated) {
    for (let server = 0; server < serversOf(compiling); server++)
      await measureRound(compiling, server, measureSystem(connections, 1));
    report(connections, await measureRounds(systems, rounds, () => measureSystem(connections, seconds)));
  }
}

/** Measures requests that have not been made before; all systems get the same ones. */
async function measureUnique({ systems, work, effort, load }, report) {
  for (const { connections, rounds, share } of effort.unique) {
    // At least one request for each connection, and several for a single one.
    const count = Math.max(connections, 3, Math.round(work.counts[connections] * share));
    const measureBatch = async () => {
      const requests = await work.take(count);
      return (system) =>
        system.render
          ? system.render({ calls: requests.map(system.callOf), connections })
          : load.unique({ port: system.port, paths: requests.map(system.pathOf), connections });
    };
    await measureRound(systems, 0, await measureBatch());
    report(connections, await measureRounds(systems, rounds, measureBatch));
  }
}

/** Some of the row’s requests, evenly distributed. */
async function sampleOf(work, count) {
  if (work.kind === 'unique') return work.take(Math.min(count, work.counts[8]));
  const step = Math.max(1, Math.floor(work.requests.length / count));
  return work.requests.filter((_, index) => index % step === 0);
}

/** The systems whose sample responses are correct. A wrong response of Lectern ends the run; a peer is left out. */
async function correctSystems(systems, sample, onFault) {
  const correct = [];
  for (const system of systems) {
    try {
      if (system.pathOf && !system.store && !system.copyResponse)
        for (const request of sample) await requireCorrect(system, request);
      correct.push(system);
    } catch (error) {
      if (system.name === 'Lectern' || !(error instanceof BenchFailure)) throw error;
      onFault(system, error.message);
    }
  }
  return correct;
}

/** Gives Lectern's responses to the systems that only send copies of them. */
async function copyResponses(systems, lectern, work) {
  for (const system of systems) {
    if (system.copyResponse) await system.copyResponse(await fetchResponse(lectern.port, work.requests[0].lectern));
    if (!system.store) continue;
    for (const request of work.requests) {
      const { body, headers } = await fetchResponse(lectern.port, request.lectern);
      request.nginx = await system.store(body, /json/.test(headers['content-type']) ? 'json' : 'jpg');
    }
  }
}

/**
 * Measures a row's workload on its systems, of which the first is Lectern. `report` is called with the number of connections
 * and the rounds' results by system, `onFault` with each system that gave a wrong response and is therefore left out.
 */
export async function measureRow({ systems, work: all, effort, load }, report, onFault) {
  const work = all.kind === 'repeated' ? { ...all, requests: all.requests.slice(0, effort.requests) } : all;
  const sample = await sampleOf(work, effort.samples);
  const correct = await correctSystems(systems, sample, onFault);
  await copyResponses(correct, systems[0], work);
  const measure = work.kind === 'repeated' ? measureRepeated : measureUnique;
  await measure({ systems: correct, work, effort, load }, report);
}
