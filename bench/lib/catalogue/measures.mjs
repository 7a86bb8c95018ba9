/** Asks a server for addresses one after the other, and notes times, and what each asked of the store. */
import { BenchFailure } from '../failure.mjs';
import { fetchResponse } from '../http-client.mjs';
import { quantile } from '../statistics.mjs';

/** What was measured of some addresses. */
export const summaryOf = (answers) => {
  const times = answers.map(({ ms }) => ms);
  const most = Math.max(...answers.map(({ requests }) => requests.length));
  const lists = answers.flatMap(({ requests }) => requests).filter((request) => request.startsWith('LIST')).length;
  const store = { most, lists, bytes: Math.max(...answers.map(({ bytes }) => bytes)) };
  return {
    count: answers.length,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    max: Math.max(...times),
    store,
  };
};

/** `check` gets an answer and the index of its address, and throws where the answer is wrong. */
export async function ask(server, store, addresses, { status = 200, check = () => undefined } = {}) {
  const answers = [];
  for (const [index, address] of addresses.entries()) {
    await store.send({ kind: 'take' });
    const began = performance.now();
    const answer = await fetchResponse(server.port, address);
    const ms = performance.now() - began;
    const { requests, bytes } = await store.send({ kind: 'take' });
    if (answer.status !== status)
      throw new BenchFailure(`${address} is ${answer.status} instead of ${status}.\n${server.output()}`);
    check(answer, index);
    answers.push({ ms, requests, bytes });
  }
  return answers;
}
