// The crawlers, as one process of their own: visits begin at a rate, whether or not those before them were answered.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Tally } from './answers.mjs';
import { openClient } from './client.mjs';
import { visits } from './crawl.mjs';

/** Pauses between the requests of a visit, in ms. */
const pauseMs = 1000;

const stepMs = 20;

/** Requests that wait for an answer at the same time: more than the server lets wait. */
const maxOutstanding = 1500;

const kindOf = (target) =>
  target.endsWith('.jpg') && target.startsWith('/iiif/') ? 'pictures' : 'documents and pages';

/** Runs the crawl; resolves to what became of it. */
async function crawl({ port, rate, seconds, picturesPerVisit, deadlineMs, ...options }) {
  const client = openClient(port, Number.POSITIVE_INFINITY);
  const tally = new Tally(deadlineMs);
  const totals = { unsent: 0, again: 0, bytes: 0, visits: 0, servedInUniversity: 0 };
  const served = new Set();
  const pending = new Set();

  async function request(target, headers) {
    if (pending.size >= maxOutstanding) {
      totals.unsent++;
      return;
    }
    const asking = client.get(target, headers);
    pending.add(asking);
    const answer = await asking;
    pending.delete(asking);
    totals.bytes += answer.bytes;
    tally.add(kindOf(target), target, answer);
    if (answer.status !== 200 || kindOf(target) !== 'pictures') return;
    if (served.has(target)) totals.again++;
    served.add(target);
  }

  const crowd = visits({ ...options, picturesPerVisit });
  /** Requests that are due, by the step in which they are. */
  const due = new Map();
  const plan = (step, target, headers) => {
    const list = due.get(step);
    if (list === undefined) due.set(step, [[target, headers]]);
    else list.push([target, headers]);
  };
  const visitsPerStep = ((rate / picturesPerVisit) * stepMs) / 1000;
  const startMs = performance.now();
  await new Promise((resolve) => {
    let step = 0;
    let begun = 0;
    const timer = setInterval(() => {
      const elapsedMs = performance.now() - startMs;
      if (elapsedMs >= seconds * 1000) {
        clearInterval(timer);
        resolve();
        return;
      }
      for (; step * stepMs <= elapsedMs; step++) {
        for (; begun < (step + 1) * visitsPerStep; begun++) {
          const { headers, targets } = crowd.next().value;
          totals.visits++;
          for (const [at, target] of targets.entries()) plan(step + (at * pauseMs) / stepMs, target, headers);
        }
        for (const [target, headers] of due.get(step) ?? []) void request(target, headers);
        due.delete(step);
      }
    }, stepMs);
  });
  const outstanding = pending.size;
  await Promise.all(pending);
  client.close();
  return { ...tally.summary(), ...totals, outstanding, seconds, rate };
}

process.once('message', async (options) => {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const result = await crawl(options);
  process.send({ ...result, latenessMs: delay.percentile(99) / 1e6 - 10, latestMs: delay.max / 1e6 }, () =>
    process.exit(0),
  );
});
