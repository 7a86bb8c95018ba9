/** Measures dlInfo-json.jsp beside a bare node:http server that sends the same bytes. */
import { fetchAnswer } from './client.mjs';
import { withCpu } from './cpu.mjs';
import { BenchFailure } from './failure.mjs';
import { startWorker, stop } from './processes.mjs';
import { sourceName, sourceSize } from './sources.mjs';
import { summarize } from './statistics.mjs';

const questions = [
  { name: 'info object', path: '/api/dlInfo-json.jsp', width: 0 },
  { name: 'info object, parameters', path: '/api/dlInfo-json.jsp?dw=400&dh=300&mo=fit', width: 0 },
  {
    name: 'info object of an image',
    path: `/api/dlInfo-json.jsp?fn=${sourceName(0)}&dw=400&dh=300&mo=fit`,
    width: sourceSize.width,
  },
];
const memberCount = 31;
const connectionCounts = [1, 8];
const warmUpMs = 1500;

/** The aim: at least this part of the bare server's requests. */
const aim = 0.6;

function requireInfoObject({ status, body }, address, width) {
  const wrong = (what) => new BenchFailure(`The info object is wrong: ${what} (${address}).`);
  if (status !== 200) throw wrong(`status ${status}`);
  const members = Object.entries(JSON.parse(body.toString('utf8')));
  if (members.length !== memberCount) throw wrong(`${members.length} members`);
  if (members.some(([, value]) => typeof value !== 'string')) throw wrong('a member is no string');
  const values = new Map(members);
  if (values.get('base.url') !== address) throw wrong('base.url is another address');
  if (values.get('img.pix_x') !== String(width)) throw wrong(`img.pix_x is ${values.get('img.pix_x')}`);
}

const pairsOf = (raw) => Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i], raw[2 * i + 1]]);

// Node writes these itself, on both sides.
const ownHeaders = new Set(['date', 'connection', 'keep-alive']);

/** Starts the bare server with the very answer that Lectern gave, and makes sure that it sends as much. */
async function startTwin(answer) {
  const headers = pairsOf(answer.rawHeaders).filter(([name]) => !ownHeaders.has(name.toLowerCase()));
  const worker = startWorker('bare-http');
  const { port } = await worker.ask({
    kind: 'start',
    headers: Object.fromEntries(headers),
    body: answer.body.toString('utf8'),
  });
  const twin = await fetchAnswer(port, '/');
  if (!twin.body.equals(answer.body) || twin.rawHeaders.length !== answer.rawHeaders.length) {
    throw new BenchFailure('The bare server’s answer differs from Lectern’s.');
  }
  return { ...worker, port };
}

/** One side's answers. What the load says that it got must be what the bare server says that it sent. */
async function measureSide(load, { pid, twin, ...target }, ms) {
  const sentBefore = twin && (await twin.ask({ kind: 'count' })).answered;
  const result = await withCpu(pid, () => load.ask({ ...target, ms }));
  const sent = twin && (await twin.ask({ kind: 'count' })).answered - sentBefore;
  if (sent !== undefined && sent !== result.answers) {
    throw new BenchFailure(`The load counted ${result.answers} answers where the bare server sent ${sent}.`);
  }
  return result;
}

/** Both sides in turn; who begins changes with each round. */
async function measureRounds(load, sides, { rounds, ms }) {
  const results = [];
  for (let round = 0; round < rounds; round++) {
    const result = {};
    const order = round % 2 === 0 ? ['lectern', 'bare'] : ['bare', 'lectern'];
    for (const side of order) result[side] = await measureSide(load, sides[side], ms);
    results.push(result);
  }
  return results;
}

async function measureQuestion(server, load, question, effort, report) {
  const host = `127.0.0.1:${server.port}`;
  const answer = await fetchAnswer(server.port, question.path);
  requireInfoObject(answer, `http://${host}${question.path}`, question.width);
  const twin = await startTwin(answer);
  for (const connections of connectionCounts) {
    const common = { path: question.path, host, connections };
    const sides = {
      lectern: { ...common, port: server.port, pid: server.child.pid },
      bare: { ...common, port: twin.port, pid: twin.child.pid, twin },
    };
    await measureRounds(load, sides, { rounds: 1, ms: Math.min(warmUpMs, effort.ms * 2) });
    const rounds = await measureRounds(load, sides, effort);
    report({ what: question.name, at: connections, unit: 'requests/s', aim, ...summarize(rounds) });
  }
  await stop(twin.child);
}

/** Measures each question at each number of connections; hands every row to `report` as soon as it is known. */
export async function measureInfoObject(server, { rounds, roundMs }, report) {
  const load = startWorker('load');
  for (const question of questions) {
    await measureQuestion(server, load, question, { rounds, ms: roundMs }, report);
  }
  await stop(load.child);
}
